/// Where the original of a picture is.
public enum PictureLocation: Hashable, Sendable {
    /// Packaged with the program: a file's name, and what changes whenever its bytes do.
    case packaged(file: String, version: String)
    /// An absolute URL; the largest that its owner offers.
    case web(url: String)
    /// A picture of The Movie Database, by its file's name without a slash.
    case tmdb(file: String)
}
