import MovieDomain
package import OpenAPI

extension APISchema {
    /// Sections of a film's or app's details, distinguished by their `type`.
    package static let sections: [String: APISchema] = Self.sectionMembers.reduce(
        into: ["DetailSection": .one(of: Self.sectionNames, by: "type")]
    ) { schemas, section in
        let members = section.value.members.merging(["type": .constant(section.key)]) { first, _ in first }
        schemas[Self.sectionName(section.key)] = .object(members, required: section.value.required + ["type"])
    }

    private static let sectionNames = Dictionary(
        uniqueKeysWithValues: SectionObject.types.map { ($0, Self.sectionName($0)) })

    private static func sectionName(_ type: String) -> String {
        type.prefix(1).uppercased() + type.dropFirst() + "Section"
    }

    private static let sectionMembers: [String: (members: [String: APISchema], required: [String])] = [
        "top": (
            [
                "title": .string(), "subtitle": .string(), "category": .string(),
                "price": .string().meaning("Price of an app, for display; GET, 받기 or 入手 for a free app."),
            ], ["title", "subtitle", "category"]
        ),
        "summary": (
            [
                "items": .array(
                    .object([
                        "kind": .choice(SummaryItem.Kind.allCases.map(\.rawValue)),
                        "topLabel": .string().meaning("For display: Korean, Japanese or English."),
                        "middleLabel": .string(), "bottomLabel": .string(),
                    ]))
            ], ["items"]
        ),
        "gallery": (
            [
                "pictures": .array(.reference("GalleryPicture"))
            ], ["pictures"]
        ),
        "videos": (["videos": .array(.reference("Video")).meaning("At most 10, the best first.")], ["videos"]),
        "description": (["text": .string()], ["text"]),
        "releaseNotes": (["version": .string(), "notes": .string()], ["version", "notes"]),
        "cast": (["members": .array(.reference("CastMember"))], ["members"]),
        "information": (
            [
                "items": .array(
                    .object([
                        "name": .choice(InformationName.allCases.map(\.rawValue)),
                        "label": .string().meaning("For display: Korean, Japanese or English."),
                        "value": .string().meaning("For display."),
                    ]))
            ], ["items"]
        ),
        "reviews": (["reviews": .array(.reference("Review"))], ["reviews"]),
    ]
}
