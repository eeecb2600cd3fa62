public import PosterPipeline

/// A list that a client has just got.
public struct ServedList: Hashable, Sendable {
    /// What lists take the place of one another: the next page of the same one to the same client.
    public struct Kind: Hashable, Sendable {
        /// Such as the path.
        public let name: String
        /// Who got it.
        public let client: String

        /// A kind of lists.
        public init(name: String, client: String) {
            self.name = name
            self.client = client
        }
    }

    /// What takes its place.
    public let kind: Kind
    /// The posters that it shows, in its order.
    public let posters: [PosterID]

    /// A list that a client has just got.
    public init(kind: Kind, posters: [PosterID]) {
        self.kind = kind
        self.posters = posters
    }
}
