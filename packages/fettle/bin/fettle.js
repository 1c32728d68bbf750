#!/usr/bin/env node
// pnpm links a bin only if its target exists at install, so this file is committed and imports the build.
import "../dist/cli.js";
