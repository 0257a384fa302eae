"""Find an embedded table by its name and read it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from types import MappingProxyType

from heldout.errors import RequestError
from heldout.table.read_table import read_table
from heldout.table.table import Table
from heldout.text.words import nearest_name


def names() -> tuple[str, ...]:
    """What `load` can load.

    Examples
    --------
    >>> "penguins" in names()
    True
    """
    return tuple(dataset.name for dataset in DATASETS)


def describe(name: str) -> Dataset:
    """Where a table is from, under which licence, and how to cite it.

    Examples
    --------
    >>> describe("penguins").licence
    'CC0 1.0'
    """
    for dataset in DATASETS:
        if dataset.name == name:
            return dataset
    near = nearest_name(name, names(), cutoff=0.4)
    raise RequestError(
        f"there is no embedded table {name!r}",
        where=f"embedded are {', '.join(names())}",
        fix=f"did you mean '{near}'?" if near else "use one of these, or read a file with read_table",
    )


def load(name: str) -> Table:
    """The embedded table of this name; its kinds are stated, not guessed.

    Examples
    --------
    >>> load("penguins")["sex"].n_missing
    11
    """
    dataset = describe(name)
    file = files("heldout.datasets").joinpath("data", f"{dataset.name}.csv")
    with as_file(file) as path:
        return read_table(path, kinds=dict(dataset.kinds), missing=[""])


@dataclass(frozen=True)
class Dataset:
    """The record of one embedded table.

    Attributes
    ----------
    name
        what `load` calls it; its file is data/<name>.csv
    title
        one line
    kinds
        the kind of every column, so that nothing is guessed when it is read
    target
        the column that is usually predicted
    groups
        the column whose rows belong together, or ""
    about
        what a row is and what was changed
    source
        where it is from
    licence
        under which terms it may be passed on
    citation
        how to cite it
    """

    name: str
    title: str
    kinds: Mapping[str, str] = field(repr=False)
    target: str
    about: str
    source: str
    licence: str
    citation: str
    groups: str = ""

    def __str__(self) -> str:
        facts = {
            "about": self.about,
            "target": self.target,
            "groups": self.groups,
            "source": self.source,
            "licence": self.licence,
            "cite": self.citation,
        }
        lines = [f"{self.name}: {self.title}"]
        for label, text in facts.items():
            if text:
                lines += textwrap.wrap(
                    text,
                    80,
                    initial_indent=f"  {label:<8} ",
                    subsequent_indent=" " * 11,
                    break_on_hyphens=False,
                    break_long_words=False,
                )
        return "\n".join(lines)


def _kinds(**columns_of_kind: str) -> MappingProxyType[str, str]:
    """Column names by kind, turned round into a kind for each name."""
    pairs = {name: kind for kind, names in columns_of_kind.items() for name in names.split()}
    return MappingProxyType(pairs)


_UCI_LICENCE = "CC BY 4.0, as the UCI Machine Learning Repository states for it"
_TENNIS_SOURCE = "T. M. Mitchell, Machine Learning, McGraw-Hill 1997, table 3.2; after J. R. Quinlan (1986)"
_TENNIS_LICENCE = "a textbook example of 14 invented rows, on which no rights are claimed"
_TENNIS_CITATION = "Mitchell, T. M. (1997). Machine Learning. McGraw-Hill."

PLAY_TENNIS = Dataset(
    name="play_tennis",
    title="is it a day for tennis?",
    kinds=_kinds(identifier="Day", category="Outlook Temperature Humidity Wind PlayTennis"),
    target="PlayTennis",
    about="14 days with four nominal attributes; the example on which ID3 is usually explained.",
    source=_TENNIS_SOURCE,
    licence=_TENNIS_LICENCE,
    citation=_TENNIS_CITATION,
)

PLAY_TENNIS_WIND = Dataset(
    name="play_tennis_wind",
    title="is it a day for tennis? With the wind as a number",
    kinds=_kinds(identifier="Day", category="Outlook Temperature Humidity PlayTennis", number="Wind"),
    target="PlayTennis",
    about="The 14 days of play_tennis with numbers for the wind, on which thresholds are explained.",
    source=_TENNIS_SOURCE + "; the numbers for the wind are from lecture slides on decision trees",
    licence=_TENNIS_LICENCE,
    citation=_TENNIS_CITATION,
)

PENGUINS = Dataset(
    name="penguins",
    title="which of three species is this penguin?",
    kinds=_kinds(
        category="species island sex",
        number="bill_length_mm bill_depth_mm flipper_length_mm body_mass_g year",
    ),
    target="species",
    about="344 adult penguins of the Palmer Archipelago, Antarctica, with 19 missing values.",
    source="the package palmerpenguins (A. M. Horst, A. P. Hill, K. B. Gorman, 2020), "
    "doi:10.5281/zenodo.3960218",
    licence="CC0 1.0",
    citation="Gorman, K. B., Williams, T. D., Fraser, W. R. (2014). Ecological sexual dimorphism and "
    "environmental variability within a community of Antarctic penguins (genus Pygoscelis). "
    "PLoS ONE 9(3): e90081. doi:10.1371/journal.pone.0090081",
)

PROSTATE = Dataset(
    name="prostate",
    title="prostate specific antigen before an operation",
    kinds=_kinds(number="lcavol lweight age lbph svi lcp gleason pgg45 lpsa", category="part"),
    target="lpsa",
    about="97 men about to receive a radical prostatectomy. `part` is the textbook's split into 67 "
    "training and 30 test rows; lweight of row 32 is the corrected 3.804438.",
    source="Stamey et al. (1989), as used in T. Hastie, R. Tibshirani, J. Friedman, The Elements of "
    "Statistical Learning",
    licence="published research data, free to pass on with the source named",
    citation="Stamey, T. A. et al. (1989). Prostate specific antigen in the diagnosis and treatment of "
    "adenocarcinoma of the prostate II. Radical prostatectomy treated patients. "
    "Journal of Urology 141(5), 1076-1083.",
)

HOUSE_VOTES = Dataset(
    name="house_votes",
    title="the party of a congressman, from sixteen votes",
    kinds=_kinds(
        category="party handicapped_infants water_project_cost_sharing adoption_of_the_budget_resolution "
        "physician_fee_freeze el_salvador_aid religious_groups_in_schools anti_satellite_test_ban "
        "aid_to_nicaraguan_contras mx_missile immigration synfuels_corporation_cutback "
        "education_spending superfund_right_to_sue crime duty_free_exports "
        "export_administration_act_south_africa"
    ),
    target="party",
    about="435 members of the U.S. House of Representatives, 1984; y and n are yea and nay, and 392 "
    "votes are missing: no position was made known.",
    source="Congressional Quarterly Almanac, 98th Congress, 2nd session 1984; Congressional Voting "
    "Records in the UCI Machine Learning Repository, doi:10.24432/C5C01P",
    licence=_UCI_LICENCE,
    citation="Schlimmer, J. (1987). Congressional Voting Records. UCI Machine Learning Repository. "
    "doi:10.24432/C5C01P",
)

SOYBEAN = Dataset(
    name="soybean",
    title="which of nineteen diseases has this soybean plant?",
    kinds=_kinds(
        category="disease date plant_stand precip temp hail crop_hist area_dam sever seed_tmt germ "
        "plant_growth leaves leaf_halo leaf_marg leaf_size leaf_shread leaf_malf leaf_mild stem "
        "lodging stem_cankers canker_lesion fruiting_bodies ext_decay mycelium int_discolor sclerotia "
        "fruit_pods fruit_spots seed mold_growth seed_discolor seed_size shriveling roots"
    ),
    target="disease",
    about="683 diseased plants, 35 categories, 2,337 missing values. Levels are spelled out as in the "
    "repository's description; dna means does not apply.",
    source="Soybean (Large) in the UCI Machine Learning Repository, training and test rows together, "
    "doi:10.24432/C5JG6Z",
    licence=_UCI_LICENCE,
    citation="Michalski, R. S., Chilausky, R. L. (1980). Learning by being told and learning from "
    "examples. International Journal of Policy Analysis and Information Systems 4(2), 125-161.",
)

TRAVEL_MODE = Dataset(
    name="travel_mode",
    title="will this traveller take the plane, the train, the bus or the car?",
    kinds=_kinds(
        identifier="individual",
        category="mode chosen",
        number="terminal_minutes vehicle_cost vehicle_minutes generalized_cost household_income party_size",
    ),
    target="chosen",
    groups="individual",
    about="210 trips between Sydney, Canberra and Melbourne, 1987: four rows for each traveller, one for "
    "each way to go, of which one was chosen. Rows of a traveller belong together.",
    source="W. H. Greene, D. Hensher (1997), in W. H. Greene, Econometric Analysis, table F18-2; from the "
    "package statsmodels, where it is called modechoice",
    licence="public domain, as statsmodels states for it",
    citation="Greene, W. H. (2011). Econometric Analysis, 7th edition. Prentice Hall.",
)

DATASETS = (HOUSE_VOTES, PENGUINS, PLAY_TENNIS, PLAY_TENNIS_WIND, PROSTATE, SOYBEAN, TRAVEL_MODE)
