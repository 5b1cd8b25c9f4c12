import { type CelList, type CelMap, type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import { currentBudget } from './budget.ts';
import { engineFunction } from './engine.ts';

const engineEquals = engineFunction('_==_');

/** CEL's equality (numbers across types, never an error), with its work counted. */
export const equals = (left: CelValue, right: CelValue): boolean => {
  currentBudget().spend(0.1);
  if (left === right) return true;
  if (typeof left === typeof right && typeof left !== 'object') return false;
  if (isCelList(left)) return isCelList(right) && sameElements(left, right);
  if (isCelMap(left)) return isCelMap(right) && sameEntries(left, right);
  if (left === null || right === null || isCelList(right) || isCelMap(right)) return false;
  return engineEquals(left, right) === true;
};

const sameElements = (left: CelList, right: CelList): boolean => {
  if (left.size !== right.size) return false;
  let index = 0;
  for (const element of left) {
    const other = right.get(index++);
    if (other === undefined || !equals(element, other)) return false;
  }
  return true;
};

const sameEntries = (left: CelMap, right: CelMap): boolean => {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || !equals(value, other)) return false;
  }
  return true;
};
