import Testing
@testable import PosterCodec
