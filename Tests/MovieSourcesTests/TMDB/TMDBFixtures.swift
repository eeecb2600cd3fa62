/// Made-up responses of TMDB.
enum TMDBFixtures {
    static let genres = #"{"genres":[{"id":18,"name":"드라마"},{"id":28,"name":""}]}"#

    static func row(_ id: Int, title: String = "제목", overview: String = "줄거리", more: String = "") -> String {
        """
        {"id":\(id),"title":"\(title)","original_title":"Title \(id)","original_language":"en","overview":"\(overview)",
        "release_date":"1999-10-15","poster_path":"/p\(id).jpg","backdrop_path":"/b\(id).jpg","genre_ids":[18,28,999],"vote_average":7,"vote_count":3\(more)}
        """
    }

    static func page(_ rows: [String], totalPages: Int = 1, totalResults: Int = 2) -> String {
        #"{"page":1,"results":[\#(rows.joined(separator: ","))],"total_pages":\#(totalPages),"total_results":\#(totalResults)}"#
    }

    static func details(
        _ id: Int, overview: String = "줄거리", reviews: String = "[]", releases: String = Self.releases, more: String = ""
    ) -> String {
        """
        {"id":\(id),"title":"제목","original_title":"Title","original_language":"en","overview":"\(overview)",
        "release_date":"","runtime":0,"imdb_id":"","poster_path":"/p.jpg","genres":[{"id":18,"name":"드라마"}],"tagline":null,
        "vote_average":"7.5","vote_count":2,"budget":63000000,"revenue":0,"homepage":"javascript:x","status":"Released",
        "production_countries":[{"iso_3166_1":"US"}],
        "credits":{"cast":[{"name":"B","character":"","order":1,"profile_path":"/b.jpg"},{"name":"A","original_name":"에이",
        "character":"Hero","order":0}],"crew":[{"name":"D","job":"Director"},{"name":"G","job":"Gaffer"},{"job":"Editor"}]},
        "images":{"backdrops":[{"file_path":"/back.jpg","width":1280,"height":720},{"file_path":"/../x.jpg"}],
        "posters":[{"file_path":"/p.jpg","width":2000,"height":3000},{"file_path":"/q.jpg","width":500,"height":750}]},
        "release_dates":{"results":\(releases)},
        "external_ids":{"imdb_id":"tt0137523"},
        "reviews":{"results":\(reviews),"total_pages":1,"total_results":2}\(more)}
        """
    }

    static let releases = """
        [{"iso_3166_1":"US","release_dates":[{"certification":"R","type":3}]},
        {"iso_3166_1":"KR","release_dates":[{"certification":"","type":3},{"certification":"18","type":4}]}]
        """

    static let reviews = """
        [{"id":"a","author":"Older","content":" old\\r\\nline ","created_at":"2018-06-09T17:51:53.359Z",
        "author_details":{"rating":null}},
        {"id":"b","author":"","content":"new","created_at":"2020-06-09T17:51:53.359Z","url":"https://x.test/b",
        "author_details":{"username":"newer","rating":9}}]
        """

    static func video(_ key: String, language: String = "ko", site: String = "YouTube", more: String = "") -> String {
        #"{"id":"5c\#(key)","key":"\#(key)","site":"\#(site)","iso_639_1":"\#(language)","type":"Trailer"\#(more)}"#
    }

    static func status(_ code: Int) -> String { #"{"success":false,"status_code":\#(code),"status_message":"…"}"# }
}
