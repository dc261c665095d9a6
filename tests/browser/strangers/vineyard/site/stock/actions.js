import { getJson } from "/lib/kit.js";

export const loadRegions = async (dispatch) => {
  const { results = [] } = await getJson("/api/regions");
  dispatch({ type: "regions", regions: results });
};

export const loadStock = async (dispatch) => {
  const { results = [] } = await getJson("/api/stock?sort=name");
  dispatch({ type: "stock", wines: results });
};
