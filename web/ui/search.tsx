import { useEffect, useState } from 'preact/hooks';

/** Asks when the typing pauses. */
export function Search({
  value,
  onValue,
  label = 'Find a bot by a part of its name, three letters or more',
  placeholder = 'Find a bot',
}: {
  value: string;
  onValue: (value: string) => void;
  label?: string;
  placeholder?: string;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="search"
      placeholder={placeholder}
      aria-label={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
