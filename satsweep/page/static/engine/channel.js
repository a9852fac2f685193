// @ts-check
// The channel of messages to the server: a WebSocket.

/** What it means that there is no engine in this browser. */
export const WITHOUT_ENGINE =
  "The server answers in its place: risks and hints come later, and boards without a guess may take long.";

/**
 * `opened` gets the channel, `message` what comes in, parsed, `started` how far the start has come, `closed` the reason why
 * there is no channel any more.
 * @typedef {{
 *   opened: (channel: { send: (value: any) => void }) => void,
 *   message: (message: any) => void,
 *   started: (progress: number) => void,
 *   closed: (reason: string) => void,
 * }} Handlers
 */

/** Open it. @param {Handlers} handlers */
export function openChannel({ opened, message, closed }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/ws`);
  const channel = {
    send(/** @type {any} */ value) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(value));
    },
  };
  socket.onopen = () => opened(channel);
  socket.onmessage = ({ data }) => message(JSON.parse(data));
  socket.onclose = ({ reason }) => closed(reason || "The server cannot be reached. Is satsweep serve still running?");
}
