import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// The part of a film's page with the film itself.
struct FilmModel: Sendable {
    private static let castLimit = 20
    private static let genreLimit = 3
    private static let pictureLimit = 6
    /// Further videos besides the first trailer.
    private static let otherVideoLimit = 9
    /// Placeholder of the names, which are links.
    private static let namesMark = "\u{FFFC}"

    private let details: MovieDetails
    private let request: PageRequest
    let poster: FilmPoster
    private let scene: PosterObject?
    private let videos: [Video]

    init(_ details: MovieDetails, in request: PageRequest) throws(Problem) {
        self.details = details
        self.request = request
        self.poster = try request.poster(of: details.movie.summary)
        self.scene = try request.site.pictures.backdrop(of: details.movie.summary)
        self.videos = Video.ranked(details.movie.videos, for: request.language)
    }

    private var movie: Movie { self.details.movie }
    private var film: MovieSummary { self.movie.summary }
    private var formats: PageFormats { self.request.formats }

    var playsVideos: Bool { self.videos.first?.site == .youtube }

    /// The scene, else the poster.
    var shareImage: ShareCard.Image? {
        if let scene { return ShareCard.Image(scene, alt: self.film.title, isScene: true) }
        return self.poster.picture.map {
            ShareCard.Image($0, alt: self.formats("posterOf", ["title": self.film.title]), isScene: false)
        }
    }

    /// - Parameter paint: Receives the colours of the pictures and the page.
    func model(_ paint: inout PagePaint) throws(Problem) -> Model {
        paint.accent = AccentColours(of: [self.poster.picture?.color, self.scene?.color])
        var poster = self.poster.picture.map { PictureModel($0).model(&paint, named: "paint-poster") }
        poster?["alt"] = self.formats("posterOf", ["title": self.film.title])
        let hasOtherTitle = self.film.originalTitle != self.film.title
        let original: Model = ["text": self.film.originalTitle, "lang": self.film.originalLanguage?.code]
        let score = self.film.score.map { score -> Model in
            ["value": self.formats.score(score.average), "count": self.formats.compact("ratingCount", score.count)]
        }
        return [
            "scene": self.scene.map { PictureModel($0, shape: .scene).model(&paint, named: "paint-scene") },
            "poster": poster, "cardHTML": self.poster.card(label: self.film.title), "title": self.film.title,
            "titleLang": self.film.titleLanguage(in: self.request),
            "original": hasOtherTitle ? original : nil, "facts": self.facts, "tagline": self.movie.tagline,
            "directors": self.directors, "score": score,
            "otherScores": self.movie.otherScores.map { ["name": $0.name, "value": $0.value] as Model },
            "favouriteHTML": PageSlot.mark(.favourite, self.film.id).markup,
            "watchlistHTML": PageSlot.mark(.watchlist, self.film.id).markup,
            "ratingHTML": PageSlot.rating(self.film.id).markup, "overview": self.film.overview,
            "notes": self.notes, "trailer": try self.trailer(), "cast": try self.cast(&paint),
            "gallery": try self.gallery(&paint), "information": FilmFacts(self.details, self.request).model,
        ]
    }

    private var facts: [Model] {
        let countries = self.movie.countries.map { $0.name(in: self.formats.preference) } + self.movie.otherCountries
        let texts: [String?] = [
            self.film.year.map(String.init), self.movie.runtimeMinutes.map(self.formats.runtime(minutes:)),
        ]
        let certificate = self.movie.certificate.map { certificate -> Model in
            ["text": certificate.label(in: self.formats.preference), "kind": "certificate"]
        }
        let others = [self.formats.list(countries)] + self.film.genres.prefix(Self.genreLimit).map(\.name)
        let plain = { (text: String) -> Model in ["text": text] }
        return texts.compactMap(\.self).map(plain) + [certificate].compactMap(\.self)
            + others.filter { !$0.isEmpty }.map(plain)
    }

    /// The directors' names, as links to their pages where these exist.
    private var directors: Markup? {
        let credited = self.movie.credits.crew.filter { $0.job == .director }
        var names = credited.map { (name: $0.name, id: $0.id) }
        if names.isEmpty { names = self.film.directors.map { ($0, nil) } }
        guard !names.isEmpty else { return nil }
        let links = names.map { name, id in
            id.map { Markup.link(name, to: self.request.links.person($0)) } ?? Markup(name)
        }
        let separator = self.formats.list(["", ""])
        let words = self.formats("filmDirectors", ["names": Self.namesMark])
            .split(separator: Self.namesMark, maxSplits: 1, omittingEmptySubsequences: false).map { Markup(String($0)) }
        return words.joined(separator: links.joined(separator: separator).description)
    }

    /// Notes on the origin of the data and on missing parts.
    private var notes: [String] {
        let link = self.details.link.map { self.formats("filmCounterpart", ["source": $0.counterpart.source.name]) }
        return [link].compactMap(\.self)
            + self.details.missing.map { self.formats("unavailable", ["source": $0.source.name]) }
    }

    private func trailer() throws(Problem) -> Model? {
        guard let first = self.videos.first, let url = OuterLink(first.url)?.description else { return nil }
        let isPlayed = first.site == .youtube
        let thumbnail = isPlayed ? try self.request.site.pictures.urls.videoThumbnail(first.key) : nil
        let site = first.site.name
        let others: [Model] = self.videos.dropFirst().prefix(Self.otherVideoLimit).compactMap { video in
            guard let url = OuterLink(video.url)?.description else { return nil }
            return ["url": url, "name": video.name.isEmpty ? video.site.name : video.name]
        }
        return [
            "url": url, "key": isPlayed ? first.key : nil,
            "label": isPlayed ? self.formats("filmTrailerPlay") : self.formats("filmTrailerAt", ["site": site]),
            "atSite": self.formats("filmTrailerAt", ["site": site]),
            "thumbnail": thumbnail.map { thumbnail -> Model in
                [
                    "url": thumbnail.url, "srcset": thumbnail.srcset, "width": thumbnail.width ?? 480,
                    "height": thumbnail.height ?? 360,
                ]
            },
            "others": others.isEmpty ? nil : ["rows": others] as Model,
        ]
    }

    private func cast(_ paint: inout PagePaint) throws(Problem) -> Model? {
        let rows = try CreditModels(request: self.request)
            .cast(self.movie.credits.cast.prefix(Self.castLimit), paint: &paint)
        return rows.isEmpty ? nil : ["rows": rows, "allURL": self.request.links.film(self.film.id, "credits")]
    }

    private func gallery(_ paint: inout PagePaint) throws(Problem) -> Model? {
        let models = GalleryModels(film: self.film, id: self.details.galleryID, request: self.request)
        var rows: [Model] = []
        for (place, picture) in self.movie.gallery.enumerated() where rows.count < Self.pictureLimit {
            // It is at the top of the page.
            if picture.location == self.film.backdrop?.location { continue }
            let image = FilmImage(picture, place: place + 1)
            guard var row = try models.row(image, number: place + 1, paint: &paint) else { continue }
            // Pictures of the gallery are never at the top of this page.
            row["loadingHTML"] = Markup(html: "loading=\"lazy\" ")
            rows.append(row)
        }
        return rows.isEmpty ? nil : ["rows": rows, "allURL": self.request.links.film(self.film.id, "pictures")]
    }
}

extension Video.Site {
    fileprivate var name: String {
        switch self {
        case .youtube: "YouTube"
        case .vimeo: "Vimeo"
        case .itunes: "iTunes"
        }
    }
}
