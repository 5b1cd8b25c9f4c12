import type { Schemas } from '@ductor/client';
import { oneLine, spanText } from '../text.ts';

type Member = Schemas['FamilyMember'];

/** A family as a tree: children below the run that started them, continuations below the run that they continue. */
export function drawFamily(members: readonly Member[], asked: string): readonly string[] {
  const below = new Map<string | null, Member[]>();
  const known = new Set(members.map(({ run_id }) => run_id));
  for (const member of members) {
    const above = member.continued_from_run_id ?? member.parent_run_id;
    // Whatever hangs from a run that is gone is shown all the same.
    const key = above !== null && known.has(above) ? above : null;
    below.set(key, [...(below.get(key) ?? []), member]);
  }
  const draw = (member: Member, lead: string, stem: string): readonly string[] => {
    const own = below.get(member.run_id) ?? [];
    const line = `${stem}${lineOf(member)}${member.run_id === asked ? '  ← asked for' : ''}`;
    return [
      line,
      ...own.flatMap((each, index) => {
        const isLast = index === own.length - 1;
        return draw(each, `${lead}${isLast ? '   ' : '│  '}`, `${lead}${isLast ? '└─ ' : '├─ '}`);
      }),
    ];
  };
  return (below.get(null) ?? []).flatMap((root) => draw(root, '', ''));
}

function lineOf({ workflow_type, version, run_id, status, relation, parent_step_ref, started_at, ended_at }: Member) {
  const by = relation === 'continuation' ? 'continues it' : parent_step_ref === null ? '' : `by ${parent_step_ref}`;
  const name = `${workflow_type ?? '(gone)'}${version === null ? '' : ` v${version}`}`;
  const parts = [name, run_id, status, spanText(started_at, ended_at), by];
  return parts
    .filter((part) => part !== '')
    .map(oneLine)
    .join('  ');
}
