import MovieDomain
import UpstreamClient

/// A site with ratings at MDBList, and the scale of its values.
struct MDBListSite: Sendable {
    /// The written form of a value.
    private enum Form {
        /// `88%`
        case percent
        /// `73/100`
        case ofHundred
        /// `8.7/10`, with one decimal; the largest value.
        case decimal(of: Int)
    }

    /// The site's name, as OMDb spells it if it has the site.
    let name: String
    /// MDBList's names of the site.
    private let sources: [String]
    private let range: ClosedRange<Double>
    private let form: Form

    /// The known sites, OMDb's first. MDBList's ratings of TMDB are omitted: films have TMDB's own.
    static let all = [
        MDBListSite("Internet Movie Database", "imdb", range: 1...10, form: .decimal(of: 10)),
        MDBListSite("Rotten Tomatoes", "tomatoes", range: 0...100, form: .percent),
        MDBListSite("Metacritic", "metacritic", range: 0...100, form: .ofHundred),
        // The former name of the audience's score at Rotten Tomatoes follows the present one.
        MDBListSite("Popcornmeter", "popcorn", "tomatoesaudience", range: 0...100, form: .percent),
        MDBListSite("Metacritic Users", "metacriticuser", range: 0...10, form: .decimal(of: 10)),
        MDBListSite("Trakt", "trakt", range: 0...100, form: .percent),
        MDBListSite("Letterboxd", "letterboxd", range: 0...5, form: .decimal(of: 5)),
        MDBListSite("MyAnimeList", "myanimelist", range: 0...10, form: .decimal(of: 10)),
        MDBListSite("RogerEbert.com", "rogerebert", range: 0...4, form: .decimal(of: 4)),
    ]

    private init(_ name: String, _ sources: String..., range: ClosedRange<Double>, form: Form) {
        self.name = name
        self.sources = sources
        self.range = range
        self.form = form
    }

    /// - Parameter source: MDBList's name, such as `imdb`.
    static func named(_ source: String) -> MDBListSite? { self.all.first { $0.sources.contains(source) } }

    /// The value of a rating with its scale, such as `8.7/10`.
    ///
    /// - Returns: `nil` without a value, for one outside of the site's scale, and for zero without votes, which stands for
    ///   a missing value.
    func value(in rating: TolerantObject) -> String? {
        guard let value = rating.number("value"), self.range.contains(value),
            value > 0 || (rating.integer("votes") ?? 0) > 0
        else { return nil }
        switch self.form {
        case .percent: return "\(Int(value.rounded()))%"
        case .ofHundred: return "\(Int(value.rounded()))/100"
        case .decimal(let largest):
            let tenths = Int((value * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)/\(largest)"
        }
    }
}
