/// Responses of KOBIS and KMDb.
extension UpstreamBodies {
    static let daily = """
        {"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"20240504~20240504","dailyBoxOfficeList":[\
        \(UpstreamBodies.entry(rank: 1, "20228555", "갯마을의 밤", isNew: true)),\
        \(UpstreamBodies.entry(rank: 2, "20228556", "등대지기"))]}}
        """
    static let weekly = """
        {"boxOfficeResult":{"boxofficeType":"주말 박스오피스","showRange":"20240503~20240505","yearWeekTime":"202418",\
        "weeklyBoxOfficeList":[\(UpstreamBodies.entry(rank: 1, "20228556", "등대지기"))]}}
        """
    static let noKoreanFilm = #"{"movieInfoResult":{"movieInfo":{},"source":"영화진흥위원회"}}"#
    static let wrongKeyOfKOBIS =
        #"{"faultInfo":{"message":"유효하지않은 키값입니다.","errorCode":"320010"}}"#
    static let nothingOfKMDb =
        #"{"Query":"","TotalCount":0,"Data":[{"CollName":"kmdb_new2","TotalCount":0,"Count":0}]}"#

    static func daily(_ entries: [String]) -> String {
        """
        {"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"20240504~20240504",\
        "dailyBoxOfficeList":[\(entries.joined(separator: ","))]}}
        """
    }

    static func entry(
        rank: Int, _ code: String, _ title: String, opening: String = "2024-04-24", isNew: Bool = false
    ) -> String {
        """
        {"rnum":"\(rank)","rank":"\(rank)","rankInten":"\(isNew ? 0 : -1)","rankOldAndNew":"\(isNew ? "NEW" : "OLD")",\
        "movieCd":"\(code)","movieNm":"\(title)","openDt":"\(opening)","salesAmt":"81234500","salesShare":"41.5",\
        "salesInten":"-120000","salesChange":"-1.5","salesAcc":"912345000","audiCnt":"8123","audiInten":"-12",\
        "audiChange":"-0.1","audiAcc":"91234","scrnCnt":"210","showCnt":"600"}
        """
    }

    static func koreanFilm(
        _ code: String, _ title: String, made year: Int = 2023, opening: String = "20240424", in nation: String = "한국"
    ) -> String {
        """
        {"movieInfoResult":{"movieInfo":{"movieCd":"\(code)","movieNm":"\(title)","movieNmEn":"A Night on the Shore",\
        "movieNmOg":"","showTm":"109","prdtYear":"\(year)","openDt":"\(opening)","prdtStatNm":"개봉","typeNm":"장편",\
        "nations":[{"nationNm":"\(nation)"}],"genres":[{"genreNm":"드라마"}],\
        "directors":[{"peopleNm":"정만조","peopleNmEn":"JUNG Manjo"}],\
        "actors":[{"peopleNm":"한바다","peopleNmEn":"HAN Bada","cast":"선장","castEn":""},\
        {"peopleNm":"윤파도","peopleNmEn":"","cast":"","castEn":""}],"showTypes":[],"companys":[],\
        "audits":[{"auditNo":"2024-MF00001","watchGradeNm":"15세이상관람가"}],"staffs":[]},"source":"영화진흥위원회"}}
        """
    }

    static func filmOfKMDb(_ key: String, title: String, year: String, posters: String) -> String {
        """
        {"Query":"","TotalCount":1,"Data":[{"CollName":"kmdb_new2","TotalCount":1,"Count":1,"Result":[{"DOCID":"\(key)",\
        "title":" !HS \(title) !HE ","titleEng":"","prodYear":"\(year)","repRlsDate":"\(year)0424","runtime":"98",\
        "nation":"대한민국","genre":"드라마","posters":"\(posters)","stlls":"",\
        "directors":{"director":[{"directorNm":"정만조"}]},"actors":{"actor":[{"actorNm":"한바다"}]},\
        "plots":{"plot":[{"plotLang":"한국어","plotText":"등대지기의 하루."}]}}]}]}
        """
    }
}
