/// A part of what is shown of a film or an app; they are shown in their order, and empty ones are left out.
public enum DetailSection: Hashable, Sendable {
    /// What it is, at a glance.
    case top(TopSection)
    /// Facts beside one another.
    case summary([SummaryItem])
    /// Pictures, with their places in the gallery from 1.
    case gallery([GalleryPicture])
    /// What it is about.
    case description(String)
    /// What is new in a version.
    case releaseNotes(version: String, notes: String)
    /// The best known parts.
    case cast([Credits.CastMember])
    /// What else there is to know.
    case information([InformationItem])
    /// The latest ones.
    case reviews([Review])

    /// Whether there is nothing to show in it.
    public var isEmpty: Bool {
        switch self {
        case .top: false
        case .summary(let items): items.isEmpty
        case .gallery(let pictures): pictures.isEmpty
        case .description(let text): text.isEmpty
        case .releaseNotes(_, let notes): notes.isEmpty
        case .cast(let members): members.isEmpty
        case .information(let items): items.isEmpty
        case .reviews(let reviews): reviews.isEmpty
        }
    }
}
