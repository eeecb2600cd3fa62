import PictureTesting
import PosterTesting

/// The Movie Database's data beside a film's facts: videos, pictures, offers, its collection, people.
extension UpstreamBodies {
    static let videoKey = "BdJKm16Co6M"

    /// Scripts the film 301 with videos, keywords and a collection, and the responses for all of its resources.
    static func fillParts(_ upstream: ReplayingUpstream) {
        self.fill(upstream)
        upstream.on("GET", "/tmdb/movie/301", .json(self.details(301, more: self.parts)))
        upstream.on("GET", "/tmdb/movie/301/images", .json(self.images))
        upstream.on("GET", "/tmdb/movie/301/watch/providers", .json(self.offers))
        upstream.on("GET", "/tmdb/movie/301/recommendations", .json(self.page([self.row(303)])))
        upstream.on("GET", "/tmdb/collection/77816", .json(self.collection))
        upstream.on("GET", "/tmdb/person/71", .json(self.person))
        upstream.on("GET", "/tmdb/person/999", .json(self.status(34), status: 404))
        upstream.on("GET", "/tmdb/search/person", .json(self.people))
        upstream.on("GET", "/tmdb/discover/movie", .json(self.page([self.row(51), self.row(52)], totalPages: 2)))
        upstream.on("GET", "/tmdb/trending/movie/week", .json(self.page([self.row(61)])))
        for name in ["wide", "logo", "face"] {
            upstream.on("GET", "/images/\(name).jpg", .image(TestPicture.jpeg(width: 1280, height: 720)))
        }
        upstream.on("GET", "/thumbnails/\(self.videoKey).jpg", .image(TestPicture.jpeg(width: 480, height: 360)))
    }

    private static let parts = """
        ,"videos":{"results":[{"id":"v1","iso_639_1":"ko","iso_3166_1":"KR","name":"예고편","key":"\(videoKey)",\
        "site":"YouTube","size":1080,"type":"Trailer","official":true,"published_at":"2024-04-01T09:00:00.000Z"},\
        {"id":"v2","iso_639_1":"ko","name":"티저","key":"../evil","site":"YouTube","size":720,"type":"Teaser","official":true}]},\
        "keywords":{"keywords":[{"id":818,"name":"lighthouse"}]},\
        "belongs_to_collection":{"id":77816,"name":"등대 시리즈","poster_path":"/poster.jpg","backdrop_path":"/wide.jpg"}
        """

    private static let images = """
        {"id":301,"backdrops":[{"file_path":"/wide.jpg","iso_639_1":null,"width":1280,"height":720}],\
        "logos":[{"file_path":"/logo.svg","iso_639_1":"ko","width":500,"height":200},\
        {"file_path":"/logo.jpg","iso_639_1":"en","width":500,"height":200}],\
        "posters":[{"file_path":"/poster.jpg","iso_639_1":"ko","width":600,"height":900}]}
        """

    private static let offers = """
        {"id":301,"results":{"KR":{"link":"https://www.themoviedb.org/movie/301/watch?locale=KR",\
        "flatrate":[{"provider_id":356,"provider_name":"웨이브","logo_path":"/logo.jpg","display_priority":2}],\
        "rent":[{"provider_id":3,"provider_name":"Google Play","logo_path":null,"display_priority":1}]}}}
        """

    private static let collection = """
        {"id":77816,"name":"등대 시리즈","overview":"불이 꺼진 등대들.","poster_path":"/poster.jpg","backdrop_path":"/wide.jpg",\
        "parts":[\(row(302, date: "2026-01-01")),\(row(301))]}
        """

    private static let person = """
        {"id":71,"name":"한바다","also_known_as":["Han Bada"],"biography":"바다에서 태어났다.","birthday":"1971-03-04",\
        "deathday":null,"place_of_birth":"부산","known_for_department":"Acting","profile_path":"/face.jpg","imdb_id":"nm0000071",\
        "movie_credits":{"cast":[{"character":"선장",\(row(301).dropFirst())],"crew":[{"job":"Director",\
        "department":"Directing",\(row(304, date: "2025-05-05").dropFirst())]}}
        """

    private static let people = """
        {"page":1,"results":[{"id":71,"name":"한바다","known_for_department":"Acting","profile_path":"/face.jpg",\
        "known_for":[{"media_type":"movie",\(row(301).dropFirst())]}],"total_pages":1,"total_results":1}
        """
}
