import MovieDomain

/// People in credits and search results.
enum TMDBPersonRow {
    static let unknownGender = 0

    /// - Parameters:
    ///   - originalName: Empty if it is the same.
    ///   - department: `nil` if unknown.
    /// - Returns: `nil` if the person has no number.
    static func object(
        id: PersonID, name: String, originalName: String, department: Department?, portrait: PictureLocation?
    ) -> OrderedJSON? {
        TMDBNumber.number(of: id).map { number in
            [
                "adult": false,
                "gender": .integer(self.unknownGender),
                "id": .integer(number),
                "known_for_department": .string(self.word(department ?? .acting)),
                "name": .string(name),
                "original_name": .string(originalName.isEmpty ? name : originalName),
                "popularity": 0,
                "profile_path": TMDBPicturePath.path(of: portrait),
            ]
        }
    }

    /// A row of search results.
    ///
    /// - Parameter mediaType: `nil` in lists with only people.
    static func object(_ person: PersonSummary, mediaType: String? = nil) -> OrderedJSON? {
        let row = self.object(
            id: person.id, name: person.name, originalName: person.originalName, department: person.department,
            portrait: person.portrait?.location)
        return row?.adding(mediaType.map { ["media_type": .string($0)] })
            .adding(["known_for": TMDBFilmRow.objects(person.knownFor, mediaType: "movie")])
    }

    static func word(_ department: Department) -> String {
        switch department {
        case .acting: "Acting"
        case .directing: "Directing"
        case .writing: "Writing"
        case .production: "Production"
        case .camera: "Camera"
        case .lighting: "Lighting"
        case .editing: "Editing"
        case .sound: "Sound"
        case .art: "Art"
        case .costumeAndMakeup: "Costume & Make-Up"
        case .visualEffects: "Visual Effects"
        case .crew: "Crew"
        }
    }
}
