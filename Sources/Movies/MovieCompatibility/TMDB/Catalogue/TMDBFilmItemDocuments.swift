import MovieDomain
import MovieHTTP

/// Reviews and credits by their ids in the lists of films and people.
struct TMDBFilmItemDocuments: Sendable {
    let services: MovieServices
    let numbers: TMDBNumberTable

    /// - Parameter path: Relative to the version.
    /// - Returns: `nil` for another path, and for an unknown id.
    func document(_ path: String, _ request: TMDBRequest) async throws -> OrderedJSON? {
        let segments = path.split(separator: "/").map(String.init)
        guard segments.count == 2, let film = try await self.numbers.film(ofItem: segments[1]) else { return nil }
        switch segments[0] {
        case "review": return try await self.review(segments[1], of: film, request.language)
        case "credit": return try await self.credit(segments[1], of: film, request.language)
        default: return nil
        }
    }

    private func review(
        _ id: String, of film: MovieID, _ language: LanguagePreference
    ) async throws -> OrderedJSON? {
        let movie = try await self.services.showMovie(film, language: language).movie
        guard let number = TMDBNumber.number(of: film) else { return nil }
        let review = try await self.services.reviews(of: film).first { TMDBNumber.id(of: $0) == id }
        return review.map { review in
            TMDBFilmParts.review(review).adding([
                "iso_639_1": .string(TMDBFilmRow.noLanguage), "media_id": .integer(number),
                "media_title": .string(movie.summary.title), "media_type": "movie",
            ])
        }
    }

    private func credit(
        _ id: String, of film: MovieID, _ language: LanguagePreference
    ) async throws -> OrderedJSON? {
        let movie = try await self.services.showMovie(film, language: language).movie
        let credits = try await self.services.showMovie.credits(of: film, language: language).value
        guard let media = TMDBFilmRow.object(movie.summary, mediaType: "movie") else { return nil }
        let isWanted = { (person: PersonID?, part: String) in
            person.map { TMDBNumber.creditID(film, $0, part) == id } ?? false
        }
        if let member = credits.cast.first(where: { isWanted($0.id, $0.role) }), let person = member.id {
            let row = TMDBPersonRow.object(
                id: person, name: member.name, originalName: member.originalName, department: .acting,
                portrait: member.portrait)
            return Self.object(
                id, type: "cast", department: "Acting", job: "Actor",
                media: media.adding(["character": .string(member.role)]), person: row)
        }
        if let member = credits.crew.first(where: { isWanted($0.id, $0.sourceJob) }), let person = member.id {
            let department = member.department ?? .crew
            let row = TMDBPersonRow.object(
                id: person, name: member.name, originalName: "", department: department, portrait: nil)
            return Self.object(
                id, type: "crew", department: TMDBPersonRow.word(department), job: member.sourceJob, media: media,
                person: row)
        }
        return nil
    }

    private static func object(
        _ id: String, type: String, department: String, job: String, media: OrderedJSON, person: OrderedJSON?
    ) -> OrderedJSON? {
        person.map { person in
            [
                "credit_type": .string(type), "department": .string(department), "job": .string(job), "media": media,
                "media_type": "movie", "id": .string(id), "person": person.adding(["media_type": "person"]),
            ]
        }
    }
}
