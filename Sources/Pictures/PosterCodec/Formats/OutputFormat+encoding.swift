extension OutputFormat {
    /// The encoder of a planned picture.
    func encoding(_ plan: EncoderPlan) -> any PictureEncoding {
        switch self {
        case .jpeg: JPEGEncoding(plan)
        case .webp: WebPEncoder(plan)
        case .png: PNGEncoder()
        case .avif: AVIFEncoder(plan)
        }
    }
}
