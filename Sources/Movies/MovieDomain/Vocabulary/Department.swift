/// A department of a film's crew, or what a person is known for.
package enum Department: String, CaseIterable, Sendable {
    /// Of people only: crew never has it.
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

    /// - Parameter word: TMDB's, such as `Costume & Make-Up`.
    /// - Returns: nil for unknown ones, and for `Actors`, as TMDB calls stunt people and the like.
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
}
