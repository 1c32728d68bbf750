import { result } from "fettle";
import { RED_PIXEL } from "./redPixel.js";

export default () => result({ content: [{ type: "image", data: RED_PIXEL, mimeType: "image/png" }] });
