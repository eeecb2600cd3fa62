import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// Posters in the format of Kakao's image search.
struct KakaoDocuments: Sendable {
    /// A poster's width, and its height if the source does not state it, in pixels.
    private static let width = 500
    private static let usualHeight = 750
    private static let thumbnailSide = 130

    let posters: FilmPictures
    let absolute: @Sendable (_ target: String) -> String
    let page: @Sendable (MovieID) -> String
    /// The date of documents without one.
    let today: CalendarDate

    func document(_ film: MovieSummary, language: Language) throws(Problem) -> OrderedJSON? {
        guard let poster = try self.posters.poster(of: film, language: language) else { return nil }
        let picture = PictureID(film.id, language: language)
        let size = Self.size(of: poster)
        let image = try self.posters.urls.picture(picture, width: Self.width)
        let thumbnail = try self.posters.urls.picture(picture, width: Self.thumbnailSide)
        let date = film.releaseDate ?? self.today
        return [
            "collection": "etc", "datetime": .string("\(date)T00:00:00.000+09:00"), "display_sitename": "OneSheet",
            "doc_url": .string(self.page(film.id)), "height": .integer(size.height),
            "image_url": .string(self.absolute(image)), "thumbnail_url": .string(self.absolute(thumbnail)),
            "width": .integer(size.width),
        ]
    }

    /// The size of the served picture: small originals are not enlarged.
    private static func size(of poster: PosterObject) -> (width: Int, height: Int) {
        guard let width = poster.width, let height = poster.height, width > 0 else {
            return (Self.width, Self.usualHeight)
        }
        let served = min(Self.width, width)
        return (served, max(1, (2 * height * served + width) / (2 * width)))
    }

    /// Kakao's document with this server's URLs for pictures at hosts that it serves.
    func rewritten(_ document: OrderedJSON) -> OrderedJSON {
        document.replacing("documents") { rows in .array(rows.elements.map { self.rewritten(row: $0) }) }
    }

    private func rewritten(row: OrderedJSON) -> OrderedJSON {
        guard let url = row["image_url"]?.string,
            let image = self.posters.urls.remotePicture(url, side: nil),
            let thumbnail = self.posters.urls.remotePicture(url, side: Self.thumbnailSide)
        else { return row }
        return row.mapMembers { member in
            switch member.name {
            case "image_url": .string(self.absolute(image))
            case "thumbnail_url": .string(self.absolute(thumbnail))
            default: member.value
            }
        }
    }

    static func envelope(_ documents: [OrderedJSON], total: Int, isEnd: Bool) -> OrderedJSON {
        [
            "documents": .array(documents),
            "meta": ["is_end": .boolean(isEnd), "pageable_count": .integer(total), "total_count": .integer(total)],
        ]
    }
}
