import { result } from "fettle";
import { silence } from "./silence.js";

export default () => result({ content: [{ type: "audio", data: silence(100), mimeType: "audio/wav" }] });
