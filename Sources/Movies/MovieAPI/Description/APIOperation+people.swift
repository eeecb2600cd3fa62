import HTTPSemantics
import MovieDomain
package import OpenAPI

extension APIOperation {
    /// Operations on people.
    package static let people: [APIOperation] = [
        .film(
            "/people/search", name: "searchPeople", summary: "Search people", meaning: "Sorted by relevance.",
            parameters: [
                .query(
                    "query", .string(1...MovieQuery.maxLength).example("fritz lang"), isRequired: true,
                    "The search terms; not only white space."), .page,
            ], schema: "PersonPage", isPaged: true),
        .film(
            "/people/{id}", name: "person", summary: "A person with all films",
            meaning: "Facts and filmography, the latest film first.", parameters: [.personID], schema: "Person",
            problems: [.invalidID, .unknownPerson]),
    ]
}

extension APIParameter {
    static let personID = APIParameter.path(
        "id", .personID, "The person as [source:]key; without a source, a person of the embedded catalogue.")
}

extension APISchema {
    /// Schemas of resources about people.
    package static let people: [String: APISchema] = [
        "Person": .person, "PersonFilm": .personFilm, "PersonSummary": .personSummary,
        "PersonPage": .page(of: .reference("PersonSummary")),
    ]

    private static let department = APISchema.choice(Department.allCases.map(\.rawValue))
    private static let portrait = APISchema.reference("Poster")

    private static let person = APISchema.object(
        [
            "id": .personID, "source": .source, "name": .string(), "originalName": .string().meaning("May be empty."),
            "otherNames": .array(.string()).meaning("Other spellings, at most \(Person.otherNameLimit)."),
            "biography": .string().meaning("May be empty."), "birthday": .date, "deathday": .date,
            "placeOfBirth": .string(), "department": Self.department, "homepage": .string(),
            "imdbId": .string(pattern: "^nm[0-9]{1,12}$"), "portrait": Self.portrait,
            "films": .array(.reference("PersonFilm")).meaning(
                "Films without a date, then the latest first; without duplicates, at most \(Person.filmLimit)."),
            "attribution": .attribution,
        ], required: ["id", "source", "name", "originalName", "otherNames", "biography", "films"])

    private static let personFilm = APISchema.object(
        Self.filmMembers.merging([
            "roles": .array(.string()).meaning("Names of the roles, empty if unknown; none for crew."),
            "jobs": .array(
                .object(
                    [
                        "job": .choice(Job.allCases.map(\.rawValue)),
                        "sourceJob": .string().meaning("The source's word for the job; may be empty."),
                        "department": .choice(Department.allCases.filter { $0 != .acting }.map(\.rawValue)),
                    ], required: ["job", "sourceJob"])
            ).meaning("Jobs in the crew."),
        ]) { first, _ in first }, required: Self.requiredOfFilms + ["roles", "jobs"])

    private static let personSummary = APISchema.object(
        [
            "id": .personID, "source": .source, "name": .string(), "originalName": .string().meaning("May be empty."),
            "department": Self.department, "portrait": Self.portrait,
            "knownFor": .array(.reference("Film")).meaning("At most \(PersonSummary.knownForLimit) films."),
        ], required: ["id", "source", "name", "originalName", "knownFor"])
}
