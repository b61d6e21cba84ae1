/** The log as the operator reads it: the latest warnings and errors, without secrets, bounded. */
import t from 'tap';
import { RecentLines, withoutSecrets } from '../../src/ops/recent-lines.js';

const line = (level: string, msg: string, more: object = {}) =>
  `${JSON.stringify({ level, time: '2026-11-22T12:00:00.000Z', ...more, msg })}\n`;

void t.test('the latest 200 warnings and errors are kept, the newest first', (t) => {
  const recent = new RecentLines();
  recent.take(line('info', 'listening', { level_of: 'warn' }));
  recent.take(line('debug', 'x'));
  t.same([recent.lines, recent.total], [[], 0]);
  for (let n = 1; n <= 250; n++) recent.take(line(n % 2 === 0 ? 'error' : 'warn', `line ${n}`, { shard: n }));
  t.equal(recent.total, 250);
  t.equal(recent.lines.length, 200);
  t.same(recent.lines[0], {
    at: '2026-11-22T12:00:00.000Z',
    level: 'error',
    message: 'line 250',
    detail: '{"shard":250}',
  });
  t.equal(recent.lines.at(-1)!.message, 'line 51');
  recent.take(line('fatal', 'y'.repeat(10_000), { stack: 'x'.repeat(100_000) }));
  t.same([recent.lines[0]!.message.length, recent.lines[0]!.detail.length], [500, 4000]);
  t.end();
});

void t.test('no key, token or password of a message gets there', (t) => {
  const key = `ap_${'k3Y-_'.repeat(9)}`.slice(0, 46);
  const secrets = [
    key,
    `Authorization: Bearer the-key-of-the-operator`,
    `https://poker.example/sign-in/link#token=${'s3cr3t_-'.repeat(5)}`,
    'postgres://poker:hunter2@db.example:5432/poker',
    `0x${'5c'.repeat(32)}`,
  ];
  const recent = new RecentLines();
  for (const secret of secrets) recent.take(line('error', secret, { err: { message: secret } }));
  const text = JSON.stringify(recent.lines);
  for (const part of [key, 'the-key-of-the-operator', 's3cr3t', 'hunter2', '5c5c5c']) t.notMatch(text, part);
  t.match(text, 'db.example:5432/poker');
  t.equal(
    withoutSecrets('a hand is void: 018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11'),
    'a hand is void: 018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11',
  );
  t.end();
});
