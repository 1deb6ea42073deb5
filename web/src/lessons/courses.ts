/** The list of courses, fetched once, and the order of lessons in them. */
import { api } from "../api/http";
import type { CourseInfo, Courses, GuideInfo } from "../api/types";

let list: Promise<Courses> | undefined;

export function courses(): Promise<Courses> {
  list ??= api.courses().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return list;
}

/** The courses of the box that a lesson or guide belongs to: those of a guest's box are in no list. */
export const coursesWith = (lesson: string): Promise<Courses> =>
  lesson.startsWith("box-") ? api.boxCourses(lesson.split("/")[0] ?? "") : courses();

/** The path of a lesson; one of a guest's box leads back to that box. */
export const lessonPath = (id: string, box = ""): string =>
  `/learn/${id}${box && `?box=${encodeURIComponent(box)}`}`;

/** A guide by its id; null if it cannot be found now. */
export async function findGuide(id: string): Promise<GuideInfo | null> {
  try {
    const found = (await coursesWith(id)).courses.flatMap(({ guides }) => guides ?? []);
    return found.find((guide) => guide.id === id) ?? null;
  } catch {
    return null;
  }
}

/** The course of a lesson with the lessons before and after it; null for an unknown lesson. */
export function placeOf(
  all: Courses,
  lesson: string,
): { course: CourseInfo; before: string; after: string } | null {
  const course = all.courses.find((one) => one.lessons.some(({ id }) => id === lesson));
  if (!course) return null;
  const at = course.lessons.findIndex(({ id }) => id === lesson);
  return { course, before: course.lessons[at - 1]?.id ?? "", after: course.lessons[at + 1]?.id ?? "" };
}
