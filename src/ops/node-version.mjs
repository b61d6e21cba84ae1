/** Says in one line that this Node is too old, before anything is loaded that would end in a syntax error there. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Agent Poker needs Node 20.19, 22 or 24; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
