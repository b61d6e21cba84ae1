import { playSides } from './nodes/sides.js';
import { playMessages } from './nodes/messages.js';
import { playFlat } from './nodes/flat.js';
import { Steps } from './benches.js';
if (process.argv[2]==='m') console.log(await playMessages({bots: 120, seconds: 10}, new Steps(2)));
else if (process.argv[2]==='f') console.log(await playFlat({counts: process.argv.slice(3).map(Number), tables: 64, handsPerSecond: 30, seconds: 15}, new Steps(process.argv.length-3)));
else {
const [nodes, tables, rounds, seconds, warm] = process.argv.slice(2).map(Number) as [number,number,number,number,number];
console.log(JSON.stringify(await playSides({ nodes, tables, rounds, seconds, warmUpSeconds: warm }, new Steps(2 + 2*rounds)), null, 1));
}
