export interface Changed {
  text: string;
  changed: boolean;
}

const MOST_WORDS = 400;

/** Two values word by word: in each, the words that the other has not in that place. */
export function changedParts(here: string, there: string): [Changed[], Changed[]] {
  const left = wordsOf(here);
  const right = wordsOf(there);
  // The table below grows with the product; of very long texts it is enough to say that they differ.
  if (left.length > MOST_WORDS || right.length > MOST_WORDS) return [[{ text: here, changed: true }], [{ text: there, changed: true }]];
  const common = longestCommon(left, right);
  return [merged(left, new Set(common.map(([at]) => at))), merged(right, new Set(common.map(([, at]) => at)))];
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? [];
}

/** Pairs of places of the longest sequence of words that both have in this order. */
function longestCommon(left: readonly string[], right: readonly string[]): [number, number][] {
  const across = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * across);
  const at = (i: number, j: number) => lengths[i * across + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * across + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

function merged(words: readonly string[], kept: ReadonlySet<number>): Changed[] {
  const parts: Changed[] = [];
  words.forEach((text, index) => {
    const changed = !kept.has(index);
    const last = parts.at(-1);
    if (last?.changed === changed) last.text += text;
    else parts.push({ text, changed });
  });
  return parts;
}
