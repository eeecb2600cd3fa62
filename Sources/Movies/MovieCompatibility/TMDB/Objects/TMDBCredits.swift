import MovieDomain

/// The cast and crew of a film, and the films of a person.
enum TMDBCredits {
    /// Omits members without a number.
    static func object(_ credits: Credits, of film: MovieID) -> OrderedJSON {
        let cast = credits.cast.enumerated().compactMap { place, member in self.row(member, at: place, of: film) }
        return ["cast": .array(cast), "crew": .array(credits.crew.compactMap { self.row($0, of: film) })]
    }

    /// - Parameter place: In billing order, from 0.
    private static func row(_ member: Credits.CastMember, at place: Int, of film: MovieID) -> OrderedJSON? {
        guard let id = member.id else { return nil }
        let person = TMDBPersonRow.object(
            id: id, name: member.name, originalName: member.originalName, department: .acting,
            portrait: member.portrait)
        return person?.adding([
            "cast_id": .integer(place + 1),
            "character": .string(member.role),
            "credit_id": self.creditID(film, id, member.role),
            "order": .integer(place),
        ])
    }

    private static func row(_ member: Credits.CrewMember, of film: MovieID) -> OrderedJSON? {
        guard let id = member.id else { return nil }
        let department = member.department ?? .crew
        let person = TMDBPersonRow.object(
            id: id, name: member.name, originalName: "", department: department, portrait: nil)
        return person?.adding([
            "credit_id": self.creditID(film, id, member.sourceJob),
            "department": .string(TMDBPersonRow.word(department)),
            "job": .string(member.sourceJob),
        ])
    }

    /// The films of a person, with an entry for each role and job.
    ///
    /// - Parameter mediaType: `nil` in lists with only films.
    static func object(of person: Person, mediaType: String? = nil) -> OrderedJSON {
        let cast = person.films.flatMap { part in part.roles.map { (film: part.movie, role: $0) } }
        let crew = person.films.flatMap { part in part.jobs.map { (film: part.movie, job: $0) } }
        return [
            "cast": .array(
                cast.enumerated().compactMap { place, part in
                    TMDBFilmRow.object(part.film, mediaType: mediaType)?.adding([
                        "character": .string(part.role),
                        "credit_id": self.creditID(part.film.id, person.id, part.role),
                        "order": .integer(place),
                    ])
                }),
            "crew": .array(
                crew.compactMap { film, job in
                    TMDBFilmRow.object(film, mediaType: mediaType)?.adding([
                        "credit_id": self.creditID(film.id, person.id, job.sourceJob),
                        "department": .string(TMDBPersonRow.word(job.department ?? .crew)),
                        "job": .string(job.sourceJob),
                    ])
                }),
        ]
    }

    private static func creditID(_ film: MovieID, _ person: PersonID, _ part: String) -> OrderedJSON {
        .string(TMDBNumber.creditID(film, person, part))
    }
}
