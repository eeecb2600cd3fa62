/// A department of a film's crew.
package enum Department: String, CaseIterable, Sendable {
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
    /// - Returns: nil for unknown ones, and for `Actors`.
    package init?(tmdb word: String) {
        switch word {
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
