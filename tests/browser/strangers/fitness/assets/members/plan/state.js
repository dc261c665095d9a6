import { getJson } from "/assets/lib/http.js";

const initial = { week: 1, exercises: [], loading: true };

export function plan(state = initial, action) {
  switch (action.type) {
    case "plan/weekSelected":
      return { ...state, week: action.week, loading: true };
    case "plan/loaded":
      return { ...state, exercises: action.exercises, loading: false };
    default:
      return state;
  }
}

export const selectWeek = (week) => async (dispatch) => {
  dispatch({ type: "plan/weekSelected", week });
  const answer = await getJson(`/api/plan?week=${week}`);
  dispatch({ type: "plan/loaded", exercises: answer.exercises });
};

export const followMember = () => async (dispatch) => {
  const { week } = await getJson("/api/plan/position");
  dispatch(selectWeek(week));
};
