interface Args {
  readonly text: string;
  readonly unique: boolean;
}

export default ({ text, unique }: Args): { words: number } => {
  const words = text.split(/\s+/).filter(Boolean);
  return { words: unique ? new Set(words).size : words.length };
};
