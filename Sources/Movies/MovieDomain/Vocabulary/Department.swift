/// A department of a film's crew, or a person's field of work.
package enum Department: String, CaseIterable, Sendable {
    /// For people only: members of a crew never have it.
    case acting
    case directing
    case writing
    case production
    case camera
    case lighting
    case editing
    case sound
    case art
    case costumeAndMakeup
    case visualEffects
    case crew

    /// - Parameter word: TMDB's word, such as `Costume & Make-Up`.
    /// - Returns: `nil` for unknown words, and for `Actors`, TMDB's department of stunt performers and others.
    package init?(tmdb word: String) {
        switch word {
        case "Acting": self = .acting
        case "Directing": self = .directing
        case "Writing", "Creator": self = .writing
        case "Production": self = .production
        case "Camera": self = .camera
        case "Lighting": self = .lighting
        case "Editing": self = .editing
        case "Sound": self = .sound
        case "Art": self = .art
        case "Costume & Make-Up": self = .costumeAndMakeup
        case "Visual Effects": self = .visualEffects
        case "Crew": self = .crew
        default: return nil
        }
    }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
    package func name(in language: LanguagePreference) -> String { self.names.text(in: language) }

    private var names: LocalisedName {
        switch self {
        case .acting: LocalisedName("연기", "Acting", "演技")
        case .directing: LocalisedName("연출", "Directing", "演出")
        case .writing: LocalisedName("각본", "Writing", "脚本")
        case .production: LocalisedName("제작", "Production", "製作")
        case .camera: LocalisedName("촬영", "Camera", "撮影")
        case .lighting: LocalisedName("조명", "Lighting", "照明")
        case .editing: LocalisedName("편집", "Editing", "編集")
        case .sound: LocalisedName("음악과 음향", "Music and sound", "音楽・音響")
        case .art: LocalisedName("미술", "Art", "美術")
        case .costumeAndMakeup: LocalisedName("의상과 분장", "Costume and make-up", "衣装・メイク")
        case .visualEffects: LocalisedName("시각효과", "Visual effects", "視覚効果")
        case .crew: LocalisedName("그 밖의 스태프", "Other crew", "その他のスタッフ")
        }
    }
}
