package import MovieDomain

/// The people of the embedded catalogue: their names, and their work in its films.
///
/// They have no dates or biographies, as the catalogue has no other facts, and no portraits, as none are drawn.
package struct EmbeddedPeople: PersonRepository, PersonCatalogue {
    private let database: CatalogueDatabase

    package init(_ database: CatalogueDatabase) {
        self.database = database
    }

    package var source: MovieSource { .embedded }
    /// As for films; the last page with people comes long before.
    package var pageLimit: Int { 500 }

    package func person(_ id: PersonID, language: LanguagePreference) async throws -> Person? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.people.person(id).flatMap { catalogue.person($0, in: language) }
    }

    /// A page of 20; empty for a text without letters and digits.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<PersonSummary> {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        let people = FilmSearch.films(for: query.text, in: catalogue.people.search).map { catalogue.people.people[$0] }
        let found = Page(page, of: people, size: EmbeddedMovies.pageSize)
        return found.replacing(found.results.compactMap { catalogue.summary(of: $0, in: language) })
    }
}

extension LoadedCatalogue {
    fileprivate func summary(of person: CataloguePeople.Person, in language: LanguagePreference) -> PersonSummary? {
        let known = person.films.prefix(PersonSummary.knownForLimit).map { self.films[$0] }
        return PersonSummary(
            id: person.id, name: self.names.person(person.name, in: language),
            originalName: self.names.people[person.name]?.original ?? "", department: self.department(of: person),
            knownFor: known.compactMap { $0.summary(in: language, self.names) })
    }

    fileprivate func person(_ person: CataloguePeople.Person, in language: LanguagePreference) -> Person? {
        let names = self.names.people[person.name]
        let parts = person.films.compactMap { place in
            let film = self.films[place]
            return film.summary(in: language, self.names).map { movie in
                Person.FilmPart(
                    movie, roles: film.cast.filter { $0.id == person.id }.map(\.role),
                    jobs: film.crew.filter { $0.id == person.id }.map { Person.PersonJob(sourceJob: $0.sourceJob) })
            }
        }
        return Person(
            id: person.id, name: self.names.person(person.name, in: language), originalName: names?.original ?? "",
            otherNames: (names?.spellings ?? []).filter { $0 != names?.original },
            department: self.department(of: person), films: parts)
    }

    /// Directing, if the person directed more films than they acted in; otherwise acting.
    private func department(of person: CataloguePeople.Person) -> Department {
        let films = person.films.map { self.films[$0] }
        let directed = films.count { film in film.crew.contains { $0.id == person.id } }
        let acted = films.count { film in film.cast.contains { $0.id == person.id } }
        return directed > acted ? .directing : .acting
    }
}
