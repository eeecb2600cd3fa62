extension Country {
    /// The current codes of ISO 3166-1 and XK, each with its Korean, English and Japanese CLDR name.
    static let nameTable = """
        AD 안도라|Andorra|アンドラ
        AE 아랍에미리트|United Arab Emirates|アラブ首長国連邦
        AF 아프가니스탄|Afghanistan|アフガニスタン
        AG 앤티가 바부다|Antigua & Barbuda|アンティグア・バーブーダ
        AI 앵귈라|Anguilla|アンギラ
        AL 알바니아|Albania|アルバニア
        AM 아르메니아|Armenia|アルメニア
        AO 앙골라|Angola|アンゴラ
        AQ 남극 대륙|Antarctica|南極
        AR 아르헨티나|Argentina|アルゼンチン
        AS 아메리칸 사모아|American Samoa|米領サモア
        AT 오스트리아|Austria|オーストリア
        AU 오스트레일리아|Australia|オーストラリア
        AW 아루바|Aruba|アルバ
        AX 올란드 제도|Åland Islands|オーランド諸島
        AZ 아제르바이잔|Azerbaijan|アゼルバイジャン
        BA 보스니아 헤르체고비나|Bosnia & Herzegovina|ボスニア・ヘルツェゴビナ
        BB 바베이도스|Barbados|バルバドス
        BD 방글라데시|Bangladesh|バングラデシュ
        BE 벨기에|Belgium|ベルギー
        BF 부르키나파소|Burkina Faso|ブルキナファソ
        BG 불가리아|Bulgaria|ブルガリア
        BH 바레인|Bahrain|バーレーン
        BI 부룬디|Burundi|ブルンジ
        BJ 베냉|Benin|ベナン
        BL 생바르텔레미|St. Barthélemy|サン・バルテルミー
        BM 버뮤다|Bermuda|バミューダ
        BN 브루나이|Brunei|ブルネイ
        BO 볼리비아|Bolivia|ボリビア
        BQ 네덜란드령 카리브|Caribbean Netherlands|オランダ領カリブ
        BR 브라질|Brazil|ブラジル
        BS 바하마|Bahamas|バハマ
        BT 부탄|Bhutan|ブータン
        BV 부베섬|Bouvet Island|ブーベ島
        BW 보츠와나|Botswana|ボツワナ
        BY 벨라루스|Belarus|ベラルーシ
        BZ 벨리즈|Belize|ベリーズ
        CA 캐나다|Canada|カナダ
        CC 코코스 제도|Cocos (Keeling) Islands|ココス(キーリング)諸島
        CD 콩고민주공화국|DR Congo|コンゴ民主共和国
        CF 중앙 아프리카 공화국|Central African Republic|中央アフリカ共和国
        CG 콩고|Congo|コンゴ共和国
        CH 스위스|Switzerland|スイス
        CI 코트디부아르|Côte d’Ivoire|コートジボワール
        CK 쿡 제도|Cook Islands|クック諸島
        CL 칠레|Chile|チリ
        CM 카메룬|Cameroon|カメルーン
        CN 중국|China|中国
        CO 콜롬비아|Colombia|コロンビア
        CR 코스타리카|Costa Rica|コスタリカ
        CU 쿠바|Cuba|キューバ
        CV 카보베르데|Cape Verde|カーボベルデ
        CW 퀴라소|Curaçao|キュラソー
        CX 크리스마스섬|Christmas Island|クリスマス島
        CY 키프로스|Cyprus|キプロス
        CZ 체코|Czechia|チェコ
        DE 독일|Germany|ドイツ
        DJ 지부티|Djibouti|ジブチ
        DK 덴마크|Denmark|デンマーク
        DM 도미니카|Dominica|ドミニカ国
        DO 도미니카 공화국|Dominican Republic|ドミニカ共和国
        DZ 알제리|Algeria|アルジェリア
        EC 에콰도르|Ecuador|エクアドル
        EE 에스토니아|Estonia|エストニア
        EG 이집트|Egypt|エジプト
        EH 서사하라|Western Sahara|西サハラ
        ER 에리트리아|Eritrea|エリトリア
        ES 스페인|Spain|スペイン
        ET 에티오피아|Ethiopia|エチオピア
        FI 핀란드|Finland|フィンランド
        FJ 피지|Fiji|フィジー
        FK 포클랜드 제도|Falkland Islands|フォークランド諸島
        FM 미크로네시아|Micronesia|ミクロネシア連邦
        FO 페로 제도|Faroe Islands|フェロー諸島
        FR 프랑스|France|フランス
        GA 가봉|Gabon|ガボン
        GB 영국|United Kingdom|イギリス
        GD 그레나다|Grenada|グレナダ
        GE 조지아|Georgia|ジョージア
        GF 프랑스령 기아나|French Guiana|仏領ギアナ
        GG 건지|Guernsey|ガーンジー
        GH 가나|Ghana|ガーナ
        GI 지브롤터|Gibraltar|ジブラルタル
        GL 그린란드|Greenland|グリーンランド
        GM 감비아|Gambia|ガンビア
        GN 기니|Guinea|ギニア
        GP 과들루프|Guadeloupe|グアドループ
        GQ 적도 기니|Equatorial Guinea|赤道ギニア
        GR 그리스|Greece|ギリシャ
        GS 사우스조지아 사우스샌드위치 제도|South Georgia & South Sandwich Islands|サウスジョージア・サウスサンドウィッチ諸島
        GT 과테말라|Guatemala|グアテマラ
        GU 괌|Guam|グアム
        GW 기니비사우|Guinea-Bissau|ギニアビサウ
        GY 가이아나|Guyana|ガイアナ
        HK 홍콩|Hong Kong|香港
        HM 허드 맥도널드 제도|Heard & McDonald Islands|ハード島・マクドナルド諸島
        HN 온두라스|Honduras|ホンジュラス
        HR 크로아티아|Croatia|クロアチア
        HT 아이티|Haiti|ハイチ
        HU 헝가리|Hungary|ハンガリー
        ID 인도네시아|Indonesia|インドネシア
        IE 아일랜드|Ireland|アイルランド
        IL 이스라엘|Israel|イスラエル
        IM 맨섬|Isle of Man|マン島
        IN 인도|India|インド
        IO 영국령 인도양 지역|British Indian Ocean Territory|英領インド洋地域
        IQ 이라크|Iraq|イラク
        IR 이란|Iran|イラン
        IS 아이슬란드|Iceland|アイスランド
        IT 이탈리아|Italy|イタリア
        JE 저지|Jersey|ジャージー
        JM 자메이카|Jamaica|ジャマイカ
        JO 요르단|Jordan|ヨルダン
        JP 일본|Japan|日本
        KE 케냐|Kenya|ケニア
        KG 키르기스스탄|Kyrgyzstan|キルギス
        KH 캄보디아|Cambodia|カンボジア
        KI 키리바시|Kiribati|キリバス
        KM 코모로|Comoros|コモロ
        KN 세인트키츠 네비스|St. Kitts & Nevis|セントクリストファー・ネーヴィス
        KP 북한|North Korea|北朝鮮
        KR 대한민국|South Korea|韓国
        KW 쿠웨이트|Kuwait|クウェート
        KY 케이맨 제도|Cayman Islands|ケイマン諸島
        KZ 카자흐스탄|Kazakhstan|カザフスタン
        LA 라오스|Laos|ラオス
        LB 레바논|Lebanon|レバノン
        LC 세인트루시아|St. Lucia|セントルシア
        LI 리히텐슈타인|Liechtenstein|リヒテンシュタイン
        LK 스리랑카|Sri Lanka|スリランカ
        LR 라이베리아|Liberia|リベリア
        LS 레소토|Lesotho|レソト
        LT 리투아니아|Lithuania|リトアニア
        LU 룩셈부르크|Luxembourg|ルクセンブルク
        LV 라트비아|Latvia|ラトビア
        LY 리비아|Libya|リビア
        MA 모로코|Morocco|モロッコ
        MC 모나코|Monaco|モナコ
        MD 몰도바|Moldova|モルドバ
        ME 몬테네그로|Montenegro|モンテネグロ
        MF 생마르탱|St. Martin|サン・マルタン
        MG 마다가스카르|Madagascar|マダガスカル
        MH 마셜 제도|Marshall Islands|マーシャル諸島
        MK 북마케도니아|North Macedonia|北マケドニア
        ML 말리|Mali|マリ
        MM 미얀마|Myanmar|ミャンマー
        MN 몽골|Mongolia|モンゴル
        MO 마카오|Macao|マカオ
        MP 북마리아나제도|Northern Mariana Islands|北マリアナ諸島
        MQ 마르티니크|Martinique|マルティニーク
        MR 모리타니|Mauritania|モーリタニア
        MS 몬트세라트|Montserrat|モントセラト
        MT 몰타|Malta|マルタ
        MU 모리셔스|Mauritius|モーリシャス
        MV 몰디브|Maldives|モルディブ
        MW 말라위|Malawi|マラウイ
        MX 멕시코|Mexico|メキシコ
        MY 말레이시아|Malaysia|マレーシア
        MZ 모잠비크|Mozambique|モザンビーク
        NA 나미비아|Namibia|ナミビア
        NC 뉴칼레도니아|New Caledonia|ニューカレドニア
        NE 니제르|Niger|ニジェール
        NF 노퍽섬|Norfolk Island|ノーフォーク島
        NG 나이지리아|Nigeria|ナイジェリア
        NI 니카라과|Nicaragua|ニカラグア
        NL 네덜란드|Netherlands|オランダ
        NO 노르웨이|Norway|ノルウェー
        NP 네팔|Nepal|ネパール
        NR 나우루|Nauru|ナウル
        NU 니우에|Niue|ニウエ
        NZ 뉴질랜드|New Zealand|ニュージーランド
        OM 오만|Oman|オマーン
        PA 파나마|Panama|パナマ
        PE 페루|Peru|ペルー
        PF 프랑스령 폴리네시아|French Polynesia|仏領ポリネシア
        PG 파푸아뉴기니|Papua New Guinea|パプアニューギニア
        PH 필리핀|Philippines|フィリピン
        PK 파키스탄|Pakistan|パキスタン
        PL 폴란드|Poland|ポーランド
        PM 생피에르 미클롱|St. Pierre & Miquelon|サンピエール島・ミクロン島
        PN 핏케언 제도|Pitcairn Islands|ピトケアン諸島
        PR 푸에르토리코|Puerto Rico|プエルトリコ
        PS 팔레스타인|Palestine|パレスチナ
        PT 포르투갈|Portugal|ポルトガル
        PW 팔라우|Palau|パラオ
        PY 파라과이|Paraguay|パラグアイ
        QA 카타르|Qatar|カタール
        RE 레위니옹|Réunion|レユニオン
        RO 루마니아|Romania|ルーマニア
        RS 세르비아|Serbia|セルビア
        RU 러시아|Russia|ロシア
        RW 르완다|Rwanda|ルワンダ
        SA 사우디아라비아|Saudi Arabia|サウジアラビア
        SB 솔로몬 제도|Solomon Islands|ソロモン諸島
        SC 세이셸|Seychelles|セーシェル
        SD 수단|Sudan|スーダン
        SE 스웨덴|Sweden|スウェーデン
        SG 싱가포르|Singapore|シンガポール
        SH 세인트헬레나|St. Helena|セントヘレナ
        SI 슬로베니아|Slovenia|スロベニア
        SJ 스발바르제도-얀마웬섬|Svalbard & Jan Mayen|スバールバル諸島・ヤンマイエン島
        SK 슬로바키아|Slovakia|スロバキア
        SL 시에라리온|Sierra Leone|シエラレオネ
        SM 산마리노|San Marino|サンマリノ
        SN 세네갈|Senegal|セネガル
        SO 소말리아|Somalia|ソマリア
        SR 수리남|Suriname|スリナム
        SS 남수단|South Sudan|南スーダン
        ST 상투메 프린시페|São Tomé & Príncipe|サントメ・プリンシペ
        SV 엘살바도르|El Salvador|エルサルバドル
        SX 신트마르턴|Sint Maarten|シント・マールテン
        SY 시리아|Syria|シリア
        SZ 에스와티니|Eswatini|エスワティニ
        TC 터크스 케이커스 제도|Turks & Caicos Islands|タークス・カイコス諸島
        TD 차드|Chad|チャド
        TF 프랑스령 남방 지역|French Southern Territories|仏領極南諸島
        TG 토고|Togo|トーゴ
        TH 태국|Thailand|タイ
        TJ 타지키스탄|Tajikistan|タジキスタン
        TK 토켈라우|Tokelau|トケラウ
        TL 동티모르|Timor-Leste|東ティモール
        TM 투르크메니스탄|Turkmenistan|トルクメニスタン
        TN 튀니지|Tunisia|チュニジア
        TO 통가|Tonga|トンガ
        TR 튀르키예|Türkiye|トルコ
        TT 트리니다드 토바고|Trinidad & Tobago|トリニダード・トバゴ
        TV 투발루|Tuvalu|ツバル
        TW 대만|Taiwan|台湾
        TZ 탄자니아|Tanzania|タンザニア
        UA 우크라이나|Ukraine|ウクライナ
        UG 우간다|Uganda|ウガンダ
        UM 미국령 해외 제도|U.S. Outlying Islands|合衆国領有小離島
        US 미국|United States|アメリカ
        UY 우루과이|Uruguay|ウルグアイ
        UZ 우즈베키스탄|Uzbekistan|ウズベキスタン
        VA 바티칸|Vatican City|バチカン
        VC 세인트빈센트그레나딘|St. Vincent & Grenadines|セントビンセント及びグレナディーン諸島
        VE 베네수엘라|Venezuela|ベネズエラ
        VG 영국령 버진아일랜드|British Virgin Islands|英領ヴァージン諸島
        VI 미국령 버진아일랜드|U.S. Virgin Islands|米領ヴァージン諸島
        VN 베트남|Vietnam|ベトナム
        VU 바누아투|Vanuatu|バヌアツ
        WF 왈리스-푸투나 제도|Wallis & Futuna|ウォリス・フツナ
        WS 사모아|Samoa|サモア
        XK 코소보|Kosovo|コソボ
        YE 예멘|Yemen|イエメン
        YT 마요트|Mayotte|マヨット
        ZA 남아프리카|South Africa|南アフリカ
        ZM 잠비아|Zambia|ザンビア
        ZW 짐바브웨|Zimbabwe|ジンバブエ
        """
}
