import { describe, expect, it } from "vitest";
import { actionOf, beginsValue } from "./shortcuts";

const press = (key: string, altKey = false, code = `Key${key.toUpperCase()}`) => ({ key, code, altKey });

describe("keys", () => {
  it("work as plain letters in upper and lower case", () => {
    expect(actionOf(press("x"), true)).toBe("absent");
    expect(actionOf(press("X"), true)).toBe("absent");
  });
  it("that are switched off still work with Alt", () => {
    expect(actionOf(press("x"), false)).toBeNull();
    expect(actionOf(press("x", true), false)).toBe("absent");
  });
  it("with Alt depend on the position of the key", () => {
    expect(actionOf(press("∫", true, "KeyB"), true)).toBe("draw");
  });
  it("start a value unless they are shortcuts", () => {
    expect(["7", "k", "€", "ß"].every((key) => beginsValue(press(key)))).toBe(true);
    expect(["Enter", "Tab", " ", "+", "-", "[", "/", "?"].some((key) => beginsValue(press(key)))).toBe(false);
    expect(beginsValue(press("7", true))).toBe(false);
  });
});
