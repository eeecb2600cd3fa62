import MovieDomain

/// A person with details.
enum TMDBPersonObject {
    static func object(_ person: Person, number: Int) -> OrderedJSON {
        [
            "adult": false,
            "also_known_as": .strings(person.otherNames),
            "biography": .string(person.biography),
            "birthday": .text(person.birthday?.description),
            "deathday": .text(person.deathday?.description),
            "gender": .integer(TMDBPersonRow.unknownGender),
            "homepage": .text(person.homepage),
            "id": .integer(number),
            "imdb_id": .text(person.imdbID),
            "known_for_department": .string(TMDBPersonRow.word(person.department ?? .acting)),
            "name": .string(person.name),
            "place_of_birth": .text(person.placeOfBirth.isEmpty ? nil : person.placeOfBirth),
            "popularity": 0,
            "profile_path": TMDBPicturePath.path(of: person.portrait?.location),
        ]
    }

    /// Without the person's number.
    static func part(_ part: TMDBResource.PersonPart, of person: Person) -> OrderedJSON {
        switch part {
        case .movieCredits: TMDBCredits.object(of: person)
        case .combinedCredits: TMDBCredits.object(of: person, mediaType: "movie")
        case .seriesCredits: ["cast": [], "crew": []]
        case .images: ["profiles": []]
        case .externalIDs:
            [
                "freebase_mid": nil, "freebase_id": nil, "imdb_id": .text(person.imdbID), "tvrage_id": nil,
                "wikidata_id": nil, "facebook_id": nil, "instagram_id": nil, "tiktok_id": nil, "twitter_id": nil,
                "youtube_id": nil,
            ]
        }
    }
}
