import MovieDomain
import UpstreamClient

/// Who made a film, as TMDB tells.
enum TMDBCredits {
    /// What those do who are shown with the details.
    private static let shownJobs: Set<String> = [
        "Director", "Screenplay", "Writer", "Story", "Novel", "Producer", "Director of Photography", "Editor",
        "Original Music Composer",
    ]

    static func credits(_ object: TolerantObject?) -> Credits {
        let cast = (object?.rows("cast") ?? []).enumerated().map { (index, row) in
            (order: row.integer("order") ?? index, member: Self.castMember(row))
        }
        return Credits(
            cast: cast.sorted { $0.order < $1.order }.compactMap(\.member),
            crew: (object?.rows("crew") ?? []).compactMap(Self.crewMember))
    }

    /// What details show of all.
    static func best(of credits: Credits) -> Credits {
        Credits(
            cast: Array(credits.cast.prefix(TMDBFilm.shownCastCount)),
            crew: Array(credits.crew.filter { Self.shownJobs.contains($0.job) }.prefix(TMDBFilm.shownCastCount)))
    }

    private static func castMember(_ row: TolerantObject) -> Credits.CastMember? {
        guard let name = row.text("name") ?? row.text("original_name") else { return nil }
        let originalName = row.text("original_name") ?? ""
        return Credits.CastMember(
            name: name, originalName: originalName == name ? "" : originalName, role: row.text("character") ?? "",
            portrait: TMDBPicture.location(row.text("profile_path")))
    }

    private static func crewMember(_ row: TolerantObject) -> Credits.CrewMember? {
        guard let name = row.text("name") ?? row.text("original_name") else { return nil }
        return Credits.CrewMember(name: name, job: row.text("job") ?? row.text("department") ?? "")
    }
}
