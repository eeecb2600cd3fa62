"""Facts for the typography: (title, original title, Korean/Japanese/other native title if it is another
script, year, director, director in that script, country, company, with, with in that script)."""

_F = """
a-trip-to-the-moon-1902|A Trip to the Moon|Le Voyage dans la Lune||Georges Méliès||France|Star Film||
the-great-train-robbery-1903|The Great Train Robbery|The Great Train Robbery||Edwin S. Porter||USA|Edison||
cabiria-1914|Cabiria|Cabiria||Giovanni Pastrone||Italia|Itala Film, Torino||
intolerance-1916|Intolerance|Intolerance||D. W. Griffith||USA||Lillian Gish, Mae Marsh, Constance Talmadge|
the-cabinet-of-dr-caligari-1920|The Cabinet of Dr. Caligari|Das Cabinet des Dr. Caligari||Robert Wiene||Deutschland|Decla-Film|Werner Krauss, Conrad Veidt, Lil Dagover|
the-kid-1921|The Kid|The Kid||Charles Chaplin||USA|First National|Charles Chaplin, Edna Purviance, Jackie Coogan|
nosferatu-1922|Nosferatu|Nosferatu, eine Symphonie des Grauens||F. W. Murnau||Deutschland|Prana-Film|Max Schreck, Gustav von Wangenheim, Greta Schröder|
haxan-1922|Häxan|Häxan||Benjamin Christensen||Sverige|Svensk Filmindustri||
safety-last-1923|Safety Last!|Safety Last!||Fred C. Newmeyer, Sam Taylor||USA|Hal Roach|Harold Lloyd, Mildred Davis|
sherlock-jr-1924|Sherlock Jr.|Sherlock Jr.||Buster Keaton||USA|Metro|Buster Keaton, Kathryn McGuire|
battleship-potemkin-1925|Battleship Potemkin|Bronenosets Potyomkin|Броненосец Потёмкин|Sergei Eisenstein|Сергей Эйзенштейн|СССР|Goskino||
the-gold-rush-1925|The Gold Rush|The Gold Rush||Charles Chaplin||USA|United Artists|Charles Chaplin, Mack Swain, Georgia Hale|
the-phantom-of-the-opera-1925|The Phantom of the Opera|The Phantom of the Opera||Rupert Julian||USA|Universal|Lon Chaney, Mary Philbin, Norman Kerry|
the-general-1926|The General|The General||Buster Keaton, Clyde Bruckman||USA|United Artists|Buster Keaton, Marion Mack|
a-page-of-madness-1926|A Page of Madness|Kurutta ichipeiji|狂った一頁|Teinosuke Kinugasa|衣笠貞之助|日本||Masao Inoue|井上正夫
metropolis-1927|Metropolis|Metropolis||Fritz Lang||Deutschland|Ufa|Brigitte Helm, Alfred Abel, Gustav Fröhlich, Rudolf Klein-Rogge|
sunrise-1927|Sunrise|Sunrise: A Song of Two Humans||F. W. Murnau||USA|Fox|George O’Brien, Janet Gaynor|
the-passion-of-joan-of-arc-1928|The Passion of Joan of Arc|La Passion de Jeanne d’Arc||Carl Theodor Dreyer||France||Renée Falconetti|
man-with-a-movie-camera-1929|Man with a Movie Camera|Chelovek s kinoapparatom|Человек с киноаппаратом|Dziga Vertov|Дзига Вертов|СССР|VUFKU||
pandoras-box-1929|Pandora’s Box|Die Büchse der Pandora||G. W. Pabst||Deutschland|Nero-Film|Louise Brooks, Fritz Kortner|
m-1931|M|M||Fritz Lang||Deutschland|Nero-Film|Peter Lorre|
city-lights-1931|City Lights|City Lights||Charles Chaplin||USA|United Artists|Charles Chaplin, Virginia Cherrill|
frankenstein-1931|Frankenstein|Frankenstein||James Whale||USA|Universal|Colin Clive, Mae Clarke, Boris Karloff|
vampyr-1932|Vampyr|Vampyr||Carl Theodor Dreyer||Deutschland, France|||
i-was-born-but-1932|I Was Born, But…|Umarete wa mita keredo|生れてはみたけれど|Yasujirō Ozu|小津安二郎|日本|松竹||
king-kong-1933|King Kong|King Kong||Merian C. Cooper, Ernest B. Schoedsack||USA|RKO|Fay Wray, Robert Armstrong, Bruce Cabot|
crossroads-of-youth-1934|Crossroads of Youth|Cheongchun-ui sipjaro|청춘의 십자로|An Jong-hwa|안종화|조선||Lee Won-yong, Shin Il-seon, Kim Yeon-sil|이원용, 신일선, 김연실
modern-times-1936|Modern Times|Modern Times||Charles Chaplin||USA|United Artists|Charles Chaplin, Paulette Goddard|
sweet-dream-1936|Sweet Dream|Mimong|미몽|Yang Ju-nam|양주남|조선||Moon Ye-bong|문예봉
grand-illusion-1937|Grand Illusion|La Grande Illusion||Jean Renoir||France||Jean Gabin, Pierre Fresnay, Erich von Stroheim, Dita Parlo|
citizen-kane-1941|Citizen Kane|Citizen Kane||Orson Welles||USA|RKO, Mercury|Orson Welles, Joseph Cotten|
casablanca-1942|Casablanca|Casablanca||Michael Curtiz||USA|Warner Bros.|Humphrey Bogart, Ingrid Bergman, Paul Henreid|
hurrah-for-freedom-1946|Hurrah! For Freedom|Jayu manse|자유만세|Choi In-kyu|최인규|조선||Jeon Chang-geun|전창근
bicycle-thieves-1948|Bicycle Thieves|Ladri di biciclette||Vittorio De Sica||Italia||Lamberto Maggiorani, Enzo Staiola|
late-spring-1949|Late Spring|Banshun|晩春|Yasujirō Ozu|小津安二郎|日本|松竹|Chishū Ryū, Setsuko Hara|笠智衆, 原節子
rashomon-1950|Rashomon|Rashōmon|羅生門|Akira Kurosawa|黒澤明|日本|大映|Toshirō Mifune, Machiko Kyō, Masayuki Mori, Takashi Shimura|三船敏郎, 京マチ子, 森雅之, 志村喬
tokyo-story-1953|Tokyo Story|Tōkyō monogatari|東京物語|Yasujirō Ozu|小津安二郎|日本|松竹|Chishū Ryū, Chieko Higashiyama, Setsuko Hara|笠智衆, 東山千栄子, 原節子
ugetsu-1953|Ugetsu|Ugetsu monogatari|雨月物語|Kenji Mizoguchi|溝口健二|日本|大映|Machiko Kyō, Masayuki Mori, Kinuyo Tanaka|京マチ子, 森雅之, 田中絹代
seven-samurai-1954|Seven Samurai|Shichinin no samurai|七人の侍|Akira Kurosawa|黒澤明|日本|東宝|Takashi Shimura, Toshirō Mifune|志村喬, 三船敏郎
godzilla-1954|Godzilla|Gojira|ゴジラ|Ishirō Honda|本多猪四郎|日本|東宝|Akira Takarada, Momoko Kōchi, Akihiko Hirata, Takashi Shimura|宝田明, 河内桃子, 平田昭彦, 志村喬
madame-freedom-1956|Madame Freedom|Jayu buin|자유부인|Han Hyeong-mo|한형모|한국||Kim Jeong-rim, Park Am|김정림, 박암
the-seventh-seal-1957|The Seventh Seal|Det sjunde inseglet||Ingmar Bergman||Sverige|Svensk Filmindustri|Max von Sydow, Gunnar Björnstrand, Bengt Ekerot|
vertigo-1958|Vertigo|Vertigo||Alfred Hitchcock||USA|Paramount|James Stewart, Kim Novak|
the-housemaid-1960|The Housemaid|Hanyeo|하녀|Kim Ki-young|김기영|한국||Kim Jin-kyu, Ju Jeung-ryu, Lee Eun-shim|김진규, 주증녀, 이은심
aimless-bullet-1961|Aimless Bullet|Obaltan|오발탄|Yu Hyun-mok|유현목|한국||Choi Moo-ryong, Kim Jin-kyu|최무룡, 김진규
woman-in-the-dunes-1964|Woman in the Dunes|Suna no onna|砂の女|Hiroshi Teshigahara|勅使河原宏|日本||Eiji Okada, Kyōko Kishida|岡田英次, 岸田今日子
mist-1967|Mist|Angae|안개|Kim Soo-yong|김수용|한국||Shin Seong-il, Yoon Jeong-hee|신성일, 윤정희
a-day-off-1968|A Day Off|Hyuil|휴일|Lee Man-hee|이만희|한국||Shin Seong-il, Jeon Ji-yeon|신성일, 전지연
"""


class Film:
    """id, year, title, original, native, director, director_native, country, company, cast[], cast_native[]"""

    def __init__(self, line):
        (self.id, self.title, self.original, self.native, self.director, self.director_native,
         self.country, self.company, cast, cast_native) = line.split("|")
        self.year = self.id[-4:]
        self.cast = [c for c in cast.split(", ") if c]
        self.cast_native = [c for c in cast_native.split(", ") if c]


FILMS = {f.id: f for f in (Film(l) for l in _F.strip().splitlines())}
