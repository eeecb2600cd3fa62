import ArgumentParser

/// Options of the S3-compatible store of originals that nodes share.
struct SharedStoreOptions: ParsableArguments {
    @Option(
        help: """
            s3://bucket or s3://bucket/prefix: an S3-compatible store for the originals of all nodes; the disk caches \
            them. Its keys are in --originals-credentials, or in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
            """)
    var originals: String?

    @Option(help: "https://host[:port] of the store. Default: AWS's of the region")
    var originalsEndpoint: String?

    @Option(help: "Region of the store. Default: us-east-1")
    var originalsRegion: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Name the bucket in the path instead of the host. Default: yes with --originals-endpoint, else no")
    var originalsPathStyle: Bool?

    @Option(
        help: """
            File with aws_access_key_id, aws_secret_access_key and optionally aws_session_token, in the AWS CLI's \
            format; reloaded on changes.
            """,
        completion: .file())
    var originalsCredentials: String?

    @Option(help: "Seconds to wait for the store's answer before an original is fetched from its origin. Default: 0.5")
    var originalsTimeout: String?
}
