/// Responses of The Movie Database.
extension UpstreamBodies {
    static let genres = #"{"genres":[{"id":18,"name":"드라마"},{"id":9648,"name":"미스터리"}]}"#
    static let overview = "등대에 불이 켜지지 않은 밤, 마을 사람들이 사라진다."

    static func row(
        _ id: Int, title: String? = nil, overview: String = overview, date: String = "2024-04-24",
        poster: String = "poster.jpg"
    ) -> String {
        """
        {"adult":false,"backdrop_path":null,"genre_ids":[18,9648],"id":\(id),"original_language":"ko",\
        "original_title":"\(title ?? "영화 \(id)")","overview":"\(overview)","popularity":12.5,"poster_path":"/\(poster)",\
        "release_date":"\(date)","title":"\(title ?? "영화 \(id)")","video":false,"vote_average":7.25,"vote_count":40}
        """
    }

    static func page(_ rows: [String], totalPages: Int = 1) -> String {
        """
        {"page":1,"results":[\(rows.joined(separator: ","))],"total_pages":\(totalPages),\
        "total_results":\(rows.count * max(1, totalPages))}
        """
    }

    /// - Parameters:
    ///   - textless: File of a second poster without text; `nil` if there is none.
    ///   - more: Further members, each with a comma before it.
    static func details(
        _ id: Int, poster: String = "poster.jpg", size: (width: Int, height: Int) = (600, 900), textless: String? = nil,
        more: String = ""
    ) -> String {
        let plain =
            textless.map { #",{"file_path":"/\#($0)","iso_639_1":null,"width":100,"height":150}"# } ?? ""
        return """
            {"id":\(id),"imdb_id":"tt0903001","title":"갯마을의 밤","original_title":"갯마을의 밤","original_language":"ko",\
            "overview":"\(self.overview)","tagline":"불을 켜라","release_date":"2024-04-24","runtime":109,"status":"Released",\
            "genres":[{"id":18,"name":"드라마"}],"poster_path":"/\(poster)","vote_average":7.25,"vote_count":40,"budget":0,\
            "revenue":0,"homepage":"","production_countries":[{"iso_3166_1":"KR","name":"South Korea"}],\
            "credits":\(self.credits(id)),\
            "images":{"backdrops":[{"file_path":"/wide.jpg","width":1280,"height":720}],\
            "posters":[{"file_path":"/\(poster)","width":\(size.width),"height":\(size.height)}\(plain)]},\
            "release_dates":{"results":[{"iso_3166_1":"KR","release_dates":[{"certification":"15",\
            "release_date":"2024-04-24T00:00:00.000Z","type":3}]}]},\
            "external_ids":{"imdb_id":"tt0903001"},"reviews":\(self.reviews)\(more)}
            """
    }

    static func credits(_ id: Int) -> String {
        """
        {"id":\(id),"cast":[{"id":71,"name":"한바다","original_name":"한바다","character":"선장","order":0,"profile_path":"/face.jpg"},\
        {"name":"윤파도","original_name":"윤파도","character":"등대지기","order":1,"profile_path":null}],\
        "crew":[{"name":"정만조","job":"Director"},{"name":"오썰물","job":"Editor"}]}
        """
    }

    /// A short review and one of 900 characters.
    static let reviews = """
        {"page":1,"results":[{"id":"r1","author":"파란","content":"좋았다.","created_at":"2024-05-01T10:00:00.000Z",\
        "author_details":{"username":"paran","rating":8}},{"id":"r2","author":"긴글",\
        "content":"\(String(repeating: "끝없는 밤. ", count: 128))끝없는밤","created_at":"2024-05-02T10:00:00.000Z",\
        "author_details":{"username":"long","rating":null}}],"total_pages":1,"total_results":2}
        """

    /// The body of an error, with TMDB's own status code.
    static func status(_ code: Int) -> String {
        #"{"success":false,"status_code":\#(code),"status_message":"told for people"}"#
    }

    static let requestToken =
        #"{"success":true,"expires_at":"2099-08-26 17:04:39 UTC","request_token":"0a1b2c3d4e5f"}"#
    static let account =
        #"{"id":7041,"username":"deungdae","name":"등대","include_adult":false,"iso_639_1":"ko","avatar":{}}"#

    static func session(_ id: String) -> String { #"{"success":true,"session_id":"\#(id)"}"# }
}
