import { describe, expect, it } from "vitest";
import { actionOf, beginsValue } from "./shortcuts";

const press = (key: string, altKey = false, code = `Key${key.toUpperCase()}`) => ({ key, code, altKey });

describe("keys", () => {
  it("act as plain letters, whatever their case", () => {
    expect(actionOf(press("x"), true)).toBe("absent");
    expect(actionOf(press("X"), true)).toBe("absent");
  });
  it("that are switched off still act with Alt", () => {
    expect(actionOf(press("x"), false)).toBeNull();
    expect(actionOf(press("x", true), false)).toBe("absent");
  });
  it("with Alt go by the place of the key", () => {
    expect(actionOf(press("∫", true, "KeyB"), true)).toBe("draw");
  });
  it("begin a value unless they have a use already", () => {
    expect(["7", "k", "€", "ß"].every((key) => beginsValue(press(key)))).toBe(true);
    expect(["Enter", "Tab", " ", "+", "-", "[", "/", "?"].some((key) => beginsValue(press(key)))).toBe(false);
    expect(beginsValue(press("7", true))).toBe(false);
  });
});
