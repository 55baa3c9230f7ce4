/** Words by their keys, which Python puts before every module (pages/parts/built.py). */
declare const TABLE: {
  sides: Record<string, string>;
  baseline: string;
  legend: string;
  badges: Record<string, string>;
  typed: string;
  failed: string;
  patterns: string;
};

interface Window {
  __tokenLab: import("./lab.js").Lab;
  __tokenLabKeeper: any;
  __tokenLabEditors: Record<string, any>;
  __tokenLabTemplates: Record<string, { version: number; text: string }>;
}
