import type { LoadedConfig } from "@fettle/kernel";

/** The `http` section of a config. */
export type HttpSettings = NonNullable<LoadedConfig["config"]["http"]>;

/** The `http` settings of the config with their defaults. */
export type HttpDefaults = Readonly<Required<Omit<HttpSettings, "state_secret">>> & Pick<HttpSettings, "state_secret">;

/** Fills in the defaults of the config's `http` section. */
export function httpDefaults(settings: HttpSettings = {}): HttpDefaults {
  return {
    host: "127.0.0.1",
    port: 3_000,
    allowed_hosts: [],
    allowed_origins: [],
    max_body_bytes: 1_048_576,
    headers_timeout_ms: 10_000,
    request_timeout_ms: 30_000,
    keep_alive_timeout_ms: 5_000,
    session_idle_ms: 1_800_000,
    max_sessions: 1_000,
    drain_ms: 8_000,
    state_ttl_ms: 3_600_000,
    replay_bytes: 1_048_576,
    ...settings,
  };
}
