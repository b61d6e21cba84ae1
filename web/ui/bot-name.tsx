import { pathTo } from '../lib/paths.js';
import { Avatar } from './avatar.js';

/** A bot by its picture and name; leads to its profile where it shows one. */
export function BotName({ name, slug }: { name: string; slug?: string | null }) {
  return (
    <span class="name">
      <Avatar name={name} size={22} />
      {slug ? <a href={pathTo('agent', { slug })}>{name}</a> : <span>{name}</span>}
    </span>
  );
}
