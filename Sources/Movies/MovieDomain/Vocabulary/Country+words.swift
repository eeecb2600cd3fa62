extension Country {
    /// Further words of KOBIS, KMDb and OMDb beside ``nameTable``; former states map to their successors.
    static let wordTable = """
        KR 한국|대한민국|남한|Korea|Republic of Korea
        KP 북한|조선민주주의인민공화국
        US 미국|USA|United States of America
        GB 영국|UK|England|Scotland|Wales|Great Britain|북아일랜드
        DE 독일|서독|동독|West Germany|East Germany
        RU 러시아|소련|Russia|Soviet Union|USSR|러시아연방
        CZ 체코|체코슬로바키아|체코공화국|Czech Republic|Czechoslovakia
        RS 세르비아|유고슬라비아|유고|Yugoslavia|Serbia and Montenegro|Federal Republic of Yugoslavia|세르비아몬테네그로
        TW 대만|타이완
        HK 홍콩|Hong Kong
        MO 마카오|Macau
        TR 터키|튀르키예|Turkey
        ZA 남아프리카공화국|남아공
        AE 아랍에미리트|아랍에미리트연합|UAE
        VN 베트남|Viet Nam
        IR 이란|Iran, Islamic Republic of
        MK 마케도니아|Republic of North Macedonia|Macedonia
        MM 미얀마|버마|Burma
        CD 콩고민주공화국|자이르|Zaire|Democratic Republic of the Congo
        CI 코트디부아르|아이보리코스트|Ivory Coast
        PS 팔레스타인|Occupied Palestinian Territory|Palestinian Territory
        AU 호주|오스트레일리아
        NL 네덜란드|Holland
        SK 슬로바키아|슬로바키아공화국
        BA 보스니아|보스니아헤르체고비나|Bosnia
        KG 키르기스스탄|키르키즈스탄
        MN 몽골|몽고
        SY 시리아
        VE 베네수엘라
        """

    /// Withdrawn and unofficial codes that TMDB and iTunes send, with the current ISO 3166-1 code.
    static let successors = [
        "SU": "RU",
        "YU": "RS",
        "CS": "RS",
        "XC": "CZ",
        "DD": "DE",
        "XG": "DE",
        "XI": "GB",
        "BU": "MM",
        "ZR": "CD",
        "TP": "TL",
        "AN": "CW",
        "UK": "GB",
    ]
}
