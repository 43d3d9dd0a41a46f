// A consumer as people write it with the NATS client for Node, without anything of Contrail.
//   node consumer.mjs URL STREAM CONSUMER ack|leave|nak|delay|term
// Says a line for each message: what it did with it, its sequence and of what it is a copy.
import { connect } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";

const [url, stream, name, what] = process.argv.slice(2);
const acts = {
  ack: (message) => message.ackAck(),
  leave: () => {},
  nak: (message) => message.nak(),
  delay: (message) => message.nak(50),
  term: (message) => message.term(),
};
const connection = await connect({ servers: url });
const consumer = await jetstream(connection).consumers.get(stream, name);
const messages = await consumer.consume();
console.log("ready");
for await (const message of messages) {
  await acts[what](message);
  const copyOf = message.headers?.get("Contrail-Replay-Of") || "nothing";
  console.log(`${what} ${message.seq} ${copyOf} ${message.string()}`);
}
