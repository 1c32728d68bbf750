/**
 * How much longer than a kernel that closes at the same time a transport waits for answers, in milliseconds. At the end of the drain the kernel
 * aborts its calls and gives them half a second, so that their rings can finish; what has no answer then gets one from the transport.
 */
export const GRACE_MS = 600;
