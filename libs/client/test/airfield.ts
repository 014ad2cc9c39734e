// Written by `ikg codegen`; do not edit.
import type { Value } from "@ikg/client";

export interface Airfield {
  nodes: {
    Aircraft: {
      airworthy: boolean;
    };
    Model: Record<string, never>;
    Pilot: {
      hours: number;
    };
  };
  relationships: "IS" | "RATED_FOR";
  actions: {
    Pilot: {
      Aircraft: {
        FLY: {
          min_hours: Value;
        };
      };
    };
  };
  queries: {
    "my-ratings": {
      params: Record<string, never>;
      row: {
        nodes: {
          "model.external_id": string | null;
          "subject.external_id": string | null;
          "subject.property.hours": Value | null;
        };
      };
      writes: false;
    };
    "rated-pilots": {
      params: {
        model: Value;
      };
      row: {
        nodes: {
          "pilot.external_id": string | null;
          "pilot.property.hours": Value | null;
        };
      };
      writes: false;
    };
    "sign-agreement": {
      params: {
        hours: Value;
        model: Value;
        number: Value;
        pilot: Value;
      };
      row: {
        nodes: {
          "agreement.external_id": string | null;
          "agreement.property.hours": Value | null;
          "pilot.external_id": string | null;
        };
      };
      writes: true;
    };
  };
}
