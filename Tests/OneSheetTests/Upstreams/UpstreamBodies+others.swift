/// Responses of OMDb, MDBList, Kakao and the iTunes Store.
extension UpstreamBodies {
    static let omdbFilm = """
        {"Title":"A Night on the Shore","Year":"2024","Rated":"N/A","Released":"24 Apr 2024","Runtime":"109 min",\
        "Genre":"Drama, Mystery","Director":"Jung Manjo","Writer":"N/A","Actors":"Han Bada","Plot":"The light is out.",\
        "Language":"Korean","Country":"South Korea","Awards":"2 wins","Poster":"N/A",\
        "Ratings":[{"Source":"Internet Movie Database","Value":"7.9/10"},{"Source":"Rotten Tomatoes","Value":"91%"}],\
        "Metascore":"78","imdbRating":"7.9","imdbVotes":"1,204","imdbID":"tt0903001","Type":"movie","BoxOffice":"N/A",\
        "Response":"True"}
        """
    /// Its scores of IMDb and Rotten Tomatoes differ from OMDb's.
    static let mdblistFilm = """
        {"title":"A Night on the Shore","ids":{"imdb":"tt0903001","tmdb":301},"ratings":[\
        {"source":"imdb","value":7.8,"score":78,"votes":1190},{"source":"tomatoes","value":90,"score":90,"votes":41},\
        {"source":"letterboxd","value":3.9,"score":78,"votes":880},{"source":"trakt","value":null,"score":null,"votes":null},\
        {"source":"tmdb","value":72,"score":72,"votes":40}]}
        """
    static let quotaOfMDBList = #"{"error":"API Limit Reached!"}"#
    static let quotaOfOMDb = #"{"Response":"False","Error":"Request limit reached!"}"#

    static func pictures(_ rows: [(url: String, width: Int, height: Int)]) -> String {
        let documents = rows.map { #"{"image_url":"\#($0.url)","width":\#($0.width),"height":\#($0.height)}"# }
        return #"{"documents":[\#(documents.joined(separator: ","))],"meta":{"total_count":\#(rows.count)}}"#
    }

    static func results(_ rows: [String]) -> String {
        #"{"resultCount":\#(rows.count),"results":[\#(rows.joined(separator: ","))]}"#
    }

    static func storeApp(_ id: Int) -> String {
        """
        {"kind":"software","wrapperType":"software","trackId":\(id),"trackName":"물때표 \(id)","artistName":"Tide Works",\
        "sellerName":"Tide Works Ltd.","price":0,"formattedPrice":"무료","currency":"KRW","averageUserRating":4.5,\
        "userRatingCount":12345,"primaryGenreName":"날씨","genres":["날씨"],"contentAdvisoryRating":"4+",\
        "artworkUrl512":"https://pictures.test/icon/512x512bb.jpg","screenshotUrls":["https://pictures.test/a/392x696bb.png"],\
        "ipadScreenshotUrls":[],"description":"밀물과 썰물.","releaseNotes":"더 빨라졌다.","version":"2.1",\
        "currentVersionReleaseDate":"2024-05-01T00:00:00Z","fileSizeBytes":"10485760","minimumOsVersion":"16.0",\
        "languageCodesISO2A":["KO","EN"],"trackViewUrl":"https://apps.apple.test/\(id)"}
        """
    }
}
