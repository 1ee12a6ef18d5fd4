/** The panels of the inspector, the timeline and the tools that have a module of their own. */

/// <reference path="./types.d.ts" />

import { mount as mountAnswer } from "./answer.js";
import { mountHandles } from "./question_handles.js";
import { mount as mountScene } from "./scene.js";
import { mount as mountShots } from "./shots.js";
import { arcTool, closestTool, overlapTool } from "./tool_points.js";
import { rulerTool } from "./tool_ruler.js";
import { sightTool } from "./tool_sight.js";
import { sweepTool } from "./tool_sweep.js";
import { viewshedTool } from "./tool_viewshed.js";
import { mount as mountWhy } from "./why.js";

export { mount as mountTimeline } from "./timeline.js";

/** @type {import("./app.js").Panel[]} */
export const panels = [
  {
    id: "answer",
    label: "Answer",
    mount(app, element) {
      mountAnswer(app, element);
      mountHandles(app);
    },
  },
  { id: "why", label: "Why", mount: mountWhy },
  { id: "scene", label: "Scene", mount: mountScene },
  { id: "shots", label: "Shots", mount: mountShots },
];

/** @type {Tool[]} */
export const tools = [sweepTool, overlapTool, closestTool, arcTool, sightTool, viewshedTool, rulerTool];
