// The channel of messages to the server: a WebSocket.

// What the seeds of new boards begin with.
export const SEEDS = "";

// Open it. `opened` gets the channel, `message` what comes in, parsed, and `closed` the reason why it has ended.
export function openChannel({ opened, message, closed }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/ws`);
  const channel = {
    send(value) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(value));
    },
  };
  socket.onopen = () => opened(channel);
  socket.onmessage = ({ data }) => message(JSON.parse(data));
  socket.onclose = ({ reason }) => closed(reason || "The server cannot be reached. Is satsweep serve still running?");
}
