"""Month names of European languages, in full and abbreviated."""

import unicodedata

_NAMES = """
1 january jan januar jänner jaenner janvier janv enero ene gennaio gen januari janeiro styczeń stycznia sty tammikuu
1 tammikuuta leden ledna január január januára ianuarie ian siječanj siječnja januárius sausis sausio janvāris jaanuar
1 ocak oca января январь янв ιανουαρίου ιανουάριος
2 february feb febr februar februari feber février fevrier fév fev febrero febbraio fevereiro luty lutego lut helmikuu
2 helmikuuta únor února február februára februarie veljača veljače vasaris veebruar şubat şub февраля февраль фев
2 φεβρουαρίου φεβρουάριος
3 march mar mars märz maerz mrz mär marzo maart mrt março marco marzec marca maaliskuu maaliskuuta březen března
3 március márc martie ožujak ožujka kovas märts mart марта март μαρτίου μάρτιος
4 april apr avril avr abril abr aprile aprilie kwiecień kwietnia kwi huhtikuu huhtikuuta duben dubna apríl apríla
4 április ápr travanj travnja balandis aprill nisan nis апреля апрель απριλίου απρίλιος
5 may mai mayo maggio mag mei maio maj maja toukokuu toukokuuta květen května máj mája május svibanj svibnja gegužė
5 mayıs мая май μαΐου μάιος
6 june jun juni juin junio giugno giu junho czerwiec czerwca cze kesäkuu kesäkuuta červen června jún júna június
6 iunie iun lipanj lipnja birželis juuni haziran haz июня июнь июн ιουνίου ιούνιος
7 july jul juli juillet juil julio luglio lug julho lipiec lipca heinäkuu heinäkuuta červenec července júl júla
7 július iulie iul srpanj srpnja liepa juuli temmuz tem июля июль июл ιουλίου ιούλιος
8 august aug août aout agosto ago agustus augustus augusti sierpień sierpnia sie elokuu elokuuta srpen srpna
8 augusztus kolovoz kolovoza rugpjūtis ağustos ağu августа август авг αυγούστου αύγουστος
9 september sep sept septembre septiembre setiembre settembre set setembro wrzesień września wrz syyskuu syyskuuta
9 září szeptember szept septembrie rujan rujna rugsėjis eylül eyl сентября сентябрь сен σεπτεμβρίου σεπτέμβριος
10 october oct octobre oktober okt octubre ottobre ott outubro out październik października paź lokakuu lokakuuta
10 říjen října október októbra octombrie listopad listopada spalis oktoober ekim eki октября октябрь окт οκτωβρίου
11 november nov novembre noviembre novembro marraskuu marraskuuta november novembra noiembrie noi studeni studenoga
11 lapkritis kasım kas ноября ноябрь ноя νοεμβρίου νοέμβριος
12 december dec décembre decembre déc dezember dez diciembre dic dicembre dezembro grudzień grudnia gru joulukuu
12 joulukuuta prosinec prosince decembra decembrie prosinac prosinca gruodis detsember aralık ara декабря декабрь дек
12 desember des δεκεμβρίου δεκέμβριος
"""


def folded(word: str) -> str:
    """Return the word in lower case, without accents and without a period at the end."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in decomposed if not unicodedata.combining(each)).rstrip(".")


def _by_name() -> dict[str, int]:
    months: dict[str, int] = {}
    for line in _NAMES.strip().splitlines():
        number, *names = line.split()
        for name in names:
            months.setdefault(folded(name), int(number))
    return months


MONTHS: dict[str, int] = _by_name()


def month_number(word: str) -> int | None:
    """Return 1 to 12 for a month name in any case, with or without accents; None for other words.

    `listopad` is October in Croatian and November in Polish and Czech, so it is left out.
    """
    name = folded(word)
    return None if name.startswith("listopad") else MONTHS.get(name)
