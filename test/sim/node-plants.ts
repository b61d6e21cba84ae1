import type { Plant } from './plants.js';

const SOONER = /has read \d+\/\d+ of node \d+, and node \d+ \d+\/\d+ sooner/;

/** Faults of the links between nodes. */
export const nodePlants: readonly Plant[] = [
  {
    name: 'gapped',
    what: 'a post that is missing is not noticed',
    file: 'src/nodes/link.ts',
    find: "if (number !== this.#read + 1) return { broken: this.break('gap'), what: 'late' };",
    replace: '',
    says: /reads \d+\/\d+ of node \d+ after|on its line|cannot go on/,
  },
  {
    name: 'echoed',
    what: 'a post that comes again is read again',
    file: 'src/nodes/link.ts',
    find: "if (number <= this.#read) return { broken: null, what: 'again' };",
    replace: "if (number <= this.#read) return { broken: null, what: 'read' };",
    says: /reads \d+\/\d+ of node \d+ after|on its line|cannot go on/,
  },
  {
    name: 'belated',
    what: 'posts of a link that the sender has given up are read',
    file: 'src/nodes/link.ts',
    find: "if (head.own < this.#other) return { broken: null, healed: false, what: 'late' };",
    replace: '',
    says: /reads \d+\/\d+ of node \d+ after|on its line|cannot go on/,
    rare: 7,
  },
  {
    name: 'renumbered',
    what: 'a side that breaks a link begins the next one under the same number',
    file: 'src/nodes/link.ts',
    find: 'this.#own++;',
    replace: '',
    says: /reads \d+\/\d+ of node \d+ after|has no link to|has read|on its line|cannot go on/,
  },
  {
    name: 'patient',
    what: 'silence breaks no link',
    file: 'src/nodes/link.ts',
    find: 'now - this.#heardAt > this.silentMs',
    replace: 'now - this.#heardAt > 1e9',
    says: /takes node \d+ for alive, which is dead|has no link to/,
    rare: 22,
  },
  {
    name: 'unrepeated',
    what: 'what was under way when a link broke is not said again',
    file: 'src/nodes/line.ts',
    find: 'this.#next = heard + 1;\n    this.#sayRest();',
    replace: 'this.#next = this.#confirmed + this.#kept.length + 1;',
    says: /on its line/,
  },
  {
    name: 'blurting',
    what: 'what is said after a link healed overtakes what is to be said again',
    file: 'src/nodes/line.ts',
    find: '    this.#open = false;\n  }',
    replace: '  }',
    says: /on its line/,
  },
  {
    name: 'scattered',
    what: 'the posts of a turn leave one by one',
    file: 'src/nodes/bus.ts',
    find: 'this.options.carrier.publish(posts).then(',
    replace:
      'Promise.all(posts.map((post) => this.options.carrier.publish([post]))).then((counts) => counts.flat()).then(',
    says: SOONER,
    rare: 4,
  },
  {
    name: 'flushed-alone',
    what: 'a flush of one link leaves what was said before over others for later',
    file: 'src/nodes/bus.ts',
    find: 'flush: () => this.#flush(true),',
    replace: `flush: () => {
          const rest = this.#waiting.filter((other) => other !== peer);
          this.#waiting = this.#waiting.filter((other) => other === peer);
          this.#flush(false);
          this.#waiting.push(...rest);
        },`,
    says: SOONER,
  },
  {
    name: 'outlasting',
    what: 'a message leaves behind what may wait for other nodes',
    file: 'src/nodes/linked-peer.ts',
    find: 'this.parts.together();',
    replace: '',
    says: SOONER,
  },
  {
    name: 'surviving',
    what: 'links survive a subscription that was lost',
    file: 'src/nodes/linked-peer.ts',
    find: 'lost(): void {\n    if (this.#over) return;',
    replace: "lost(): void {\n    if (this.id !== '') return;",
    says: SOONER,
  },
  {
    name: 'ungreeted',
    what: 'greetings that could not leave are said again one by one, when each is due',
    file: 'src/nodes/bus.ts',
    find: 'own === NO_LINK && peer.greetsAgain()',
    replace: 'own < NO_LINK && peer.greetsAgain()',
    says: SOONER,
    rare: 56,
  },
];
