/// Whose favourites they are.
public enum Owner: Hashable, Sendable {
    case account(MovieSource, id: String)
    /// Somebody who did not say who they are.
    case device(id: String)

    /// Different for different owners.
    public var key: String {
        switch self {
        case .account(let source, let id): "\(source.rawValue):\(id)"
        case .device(let id): "device:\(id)"
        }
    }
}
