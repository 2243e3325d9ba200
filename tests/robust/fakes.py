"""Fake secrets of many kinds, each drawn when it is asked for and set into the text that such a secret stands in."""

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
URLSAFE = ALNUM + "-_"
SEED = 20261201


@dataclass(frozen=True, slots=True)
class Fake:
    """A *secret* that nobody ever issued, in the *text* that holds it."""

    kind: str
    secret: str
    text: str


class Mint:
    """Draws secrets; the same *seed* gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 -- fakes need no entropy

    def of(self, length: int, alphabet: str = ALNUM) -> str:
        """A text of *length* in which digits and letters are mixed, where the *alphabet* has both."""
        while True:
            drawn = "".join(self._random.choice(alphabet) for _ in range(length))
            if length < 6 or any(map(str.isdigit, drawn)) == any(map(str.isdigit, alphabet)):
                return drawn

    def word(self) -> str:
        """A password as a human would choose it."""
        names = ("Falcon", "Harbor", "Copper", "Winter", "Tangerine", "Granite")
        return f"{self._random.choice(names)}{self._random.choice('!#$%*')}{self.of(4)}{self._random.randrange(10, 99)}"

    def b64(self, size: int) -> str:
        """*size* bytes in base64."""
        return base64.b64encode(self._random.randbytes(size)).decode()

    def pair(self) -> str:
        """A user and a password in base64."""
        return base64.b64encode(f"deploy:{self.of(14)}".encode()).decode()

    def uuid(self) -> str:
        """A UUID."""
        return "-".join(self.of(size, HEX) for size in (8, 4, 4, 4, 12))

    def web_token(self) -> str:
        """A JSON web token."""
        head, body = (
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in ({"alg": "RS256", "kid": self.of(8)}, {"sub": self.of(10), "scope": "all"})
        )
        return f"{head}.{body}.{self.of(86, URLSAFE)}"

    def key(self, kind: str = "RSA ", newline: str = "\n", lines: int = 12) -> str:
        """A private key, its lines ended by *newline*."""
        dashes = "-" * 5
        body = newline.join(self.of(64, ALNUM + "+/") for _ in range(lines))
        return f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}{newline}{body}{newline}{dashes}END {kind}PRIVATE KEY{dashes}"


def bare(length: int, alphabet: str = ALNUM) -> Callable[[Mint], str]:
    return lambda mint: mint.of(length, alphabet)


def after(prefix: str, length: int, alphabet: str = ALNUM) -> Callable[[Mint], str]:
    """A token that begins with *prefix*, here written with a `~` in it so that it does not stand whole."""
    return lambda mint: prefix.replace("~", "") + mint.of(length, alphabet)


def hidden(prefix: str, length: int, alphabet: str, invisible: str) -> Callable[[Mint], str]:
    """A token with an *invisible* character inside."""
    return lambda mint: prefix + mint.of(length // 2, alphabet) + invisible + mint.of(length - length // 2, alphabet)


WORD = Mint.word
UUID = Mint.uuid
PAIR = Mint.pair
WEB = Mint.web_token

# What kind, the text around it, and what draws it.
KINDS: tuple[tuple[str, str, Callable[[Mint], str]], ...] = (
    # Connection strings
    ("amqp", "broker: amqp://worker:{}@mq.example.test:5672/jobs", bare(15)),
    ("ado", "Server=tcp:db.example.test,1433;Initial Catalog=shop;User Id=sa;Password={};Encrypt=true;", WORD),
    ("jdbc", "jdbc:postgresql://db.example.test/shop?user=app&password={}&ssl=true", bare(14)),
    ("odbc", "conn = pyodbc.connect('DRIVER={ODBC Driver 18};SERVER=db;UID=app;PWD={}')", WORD),
    ("smtp", "MAILER_DSN=smtps://robot%40example.test:{}@smtp.example.test:465", bare(16)),
    (
        "service bus",
        "Endpoint=sb://shop.example.test/;SharedAccessKeyName=RootManage;SharedAccessKey={}",
        lambda mint: mint.b64(32),
    ),
    ("libpq", 'psql "host=db.example.test user=app password={} dbname=shop"', bare(13)),
    ("go dsn", 'db, err := sql.Open("mysql", "app:{}@tcp(db.example.test:3306)/shop")', bare(16)),
    ("sqlplus", "sqlplus scott/{}@//db.example.test:1521/ORCL", bare(12)),
    ("jaas", 'PlainLoginModule required username="kafka" password="{}";', bare(20)),
    ("snowflake", "snowsql -a acme -u loader --password '{}'", WORD),
    ("ftp", "lftp -e ls ftp://site:{}@files.example.test", bare(10)),
    # Files of tools
    ("npmrc auth", "//npm.example.test/:_auth={}", PAIR),
    ("npmrc password", "//npm.example.test/:_password={}", lambda mint: mint.b64(12)),
    ("pypirc", "[internal]\nrepository = https://pypi.example.test\nusername = robot\npassword = {}", bare(18)),
    ("netrc lines", "machine git.example.test\n  login robot\n  password {}", bare(20)),
    ("netrc line", "default login robot password {}", bare(16)),
    ("kubeconfig key", "    client-key-data: {}", lambda mint: mint.b64(600)),
    ("docker auth", '{"auths": {"docker.example.test": {"auth": "{}"}}}', PAIR),
    ("docker identity", '{"auths": {"acme.example.test": {"identitytoken": "{}"}}}', WEB),
    ("tfvars", 'db_master_password = "{}"', WORD),
    ("tfstate", '"attributes": {"master_password": "{}", "port": 5432}', bare(20)),
    ("terraformrc", 'credentials "app.example.test" {\n  token = "{}"\n}', lambda mint: f"{mint.of(14)}.atlasv1.{mint.of(67)}"),
    ("git credentials", "https://robot:{}@git.example.test", bare(20)),
    ("ansible", "web1 ansible_host=10.0.0.3 ansible_user=ops ansible_ssh_pass={}", bare(11)),
    ("ansible become", "ansible_become_password: {}", WORD),
    ("maven", "<server><id>releases</id><username>ci</username><password>{}</password></server>", bare(15)),
    ("gradle", "signing.keyId=24875D73\nsigning.password={}", WORD),
    ("rails", "RAILS_MASTER_KEY={}", bare(32, HEX)),
    ("wordpress", "define( 'DB_PASSWORD', '{}' );", bare(17)),
    ("wordpress salt", "define('LOGGED_IN_KEY',    '{}');", bare(64, ALNUM + "!@#%^&*()-_=+[]{};:,.?|~")),
    (
        "appsettings",
        '"ConnectionStrings": {"Main": "Data Source=db;User ID=app;Password={};MultipleActiveResultSets=true"}',
        WORD,
    ),
    ("compose", "    environment:\n      MYSQL_ROOT_PASSWORD: {}", bare(14)),
    ("kubernetes", "stringData:\n  smtp-password: {}", WORD),
    ("shadow", "root:{}:19800:0:99999:7:::", lambda mint: f"$6${mint.of(12)}${mint.of(86, ALNUM + './')}"),
    ("htpasswd", "admin:{}", lambda mint: f"$apr1${mint.of(8)}${mint.of(22, ALNUM + './')}"),
    ("wireguard", "[Interface]\nPrivateKey = {}\nAddress = 10.7.0.2/32", lambda mint: mint.b64(32)),
    ("wireguard shared", "PresharedKey = {}", lambda mint: mint.b64(32)),
    ("wifi", 'network={\n  ssid="office"\n  psk="{}"\n}', WORD),
    ("properties", "spring.datasource.password={}", bare(12)),
    ("ini", "[smtp]\nhost=mail.example.test\npasswd = {}", WORD),
    ("toml", '[auth]\nsession_secret = "{}"', bare(48)),
    ("htdigest env", "HTTP_BASIC_PASS={}", bare(12)),
    ("plist", "<key>apiToken</key>\n<string>{}</string>", bare(40)),
    ("csv", "user,password,role\nmarta,{},admin", WORD),
    ("table", "| user | password |\n| --- | --- |\n| marta | {} |", WORD),
    ("xml key", '<add key="StorageAccountKey" value="{}" />', lambda mint: mint.b64(64)),
    ("spring xml", '<property name="password" value="{}"/>', bare(13)),
    # Commands
    ("mysql", "mysql -h db.example.test -u root -p{} shop < dump.sql", bare(12)),
    ("mysqldump", "mysqldump --user=app --password={} shop | gzip", bare(14)),
    ("psql", "PGPASSWORD={} psql -h db -U app", WORD),
    ("curl key", 'curl -H "X-Api-Key: {}" https://api.example.test/v1', bare(32)),
    ("curl form", "curl -d 'username=marta&password={}' https://app.example.test/login", bare(11)),
    ("curl json", """curl --json '{"email":"a@example.test","password":"{}"}' https://app.example.test""", WORD),
    ("curl cookie", "curl -b 'session={}' https://app.example.test", bare(40)),
    ("wget", "wget --http-user=bot --http-password={} https://files.example.test/a", bare(13)),
    ("docker login", "docker login -u robot -p {} docker.example.test", bare(20)),
    ("docker stdin", "echo {} | docker login --username robot --password-stdin", bare(26)),
    ("azure", "az login --service-principal -u http://ci -p {} --tenant t", bare(24)),
    ("smb", "smbclient //nas/share -U backup%{}", bare(12)),
    ("redis", "redis-cli -h cache -a {} ping", bare(20)),
    ("gpg", "gpg --batch --passphrase {} -d dump.gpg", WORD),
    ("openssl", "openssl pkcs12 -export -in a.pem -passout pass:{} -out a.p12", bare(12)),
    ("zip", "unzip -P {} backup.zip", WORD),
    ("7z", "7z x -p{} backup.7z", bare(12)),
    ("sshpass", "sshpass -p{} ssh ops@10.0.0.4", bare(12)),
    ("keygen", "ssh-keygen -t ed25519 -N '{}' -f deploy", WORD),
    ("powershell", '$env:DEPLOY_TOKEN = "{}"', bare(36)),
    ("setx", "setx DEPLOY_API_KEY {}", bare(32)),
    ("vault", "vault kv put secret/shop db_password={}", bare(18)),
    ("aws configure", "aws configure set aws_secret_access_key {}", lambda mint: mint.b64(30)),
    ("gh secret", "gh secret set DEPLOY_TOKEN --body {}", bare(40)),
    ("heroku", "heroku config:set SECRET_KEY_BASE={} -a shop", bare(128, HEX)),
    ("kubectl", "kubectl create secret generic db --from-literal=password={}", bare(16)),
    ("build arg", "docker build --build-arg NPM_TOKEN={} .", bare(36)),
    ("docker env", "docker run -d -e POSTGRES_PASSWORD={} postgres:16", bare(12)),
    ("chpasswd", "echo 'root:{}' | chpasswd", WORD),
    ("create user", "CREATE USER app WITH PASSWORD '{}';", bare(14)),
    ("identified", "CREATE USER 'app'@'%' IDENTIFIED BY '{}';", WORD),
    ("alter role", "ALTER ROLE app ENCRYPTED PASSWORD '{}'", bare(15)),
    ("ldap", "ldapsearch -x -D cn=admin,dc=example -w {} -b dc=example", bare(12)),
    ("ngrok", "ngrok config add-authtoken {}", lambda mint: f"{mint.of(27)}_{mint.of(21)}"),
    ("npm set", "npm config set //npm.example.test/:_authToken {}", bare(40)),
    ("pip", "pip install --index-url https://robot:{}@pypi.example.test/simple shop", bare(24)),
    ("net use", r"net use z: \\nas\share {} /user:marta", WORD),
    ("htpasswd set", "htpasswd -bc .htpasswd admin {}", bare(11)),
    ("rclone", "rclone config create s3 s3 access_key_id=minio secret_access_key={}", bare(40)),
    ("restic", "RESTIC_PASSWORD={} restic snapshots", bare(20)),
    ("keytool", "keytool -list -keystore a.jks -storepass {}", bare(12)),
    ("borg", "export BORG_PASSPHRASE='{}'", lambda mint: f"{mint.word()} {mint.word()}"),
    # Code
    ("python", 'client = Client(api_key="{}", timeout=3)', bare(32)),
    ("environ", 'os.environ["BILLING_API_KEY"] = "{}"', bare(32)),
    ("getenv", 'token = os.getenv("BOT_TOKEN", "{}")', bare(40)),
    ("typed", 'api_key: str = "{}"', bare(40)),
    ("spaced", 'api_key   =   "{}"', bare(24)),
    ("java", 'private static final String DB_PASSWORD = "{}";', WORD),
    ("go", 'apiSecret := "{}"', bare(40)),
    ("c", '#define WIFI_PASSWORD "{}"', bare(12)),
    ("ruby", "config.password = '{}'", WORD),
    ("php", "'password' => '{}',", bare(12)),
    ("js", "axios.get(url, { auth: { username: 'bot', password: '{}' } })", bare(12)),
    ("requests", 'requests.get(url, auth=("bot", "{}"))', bare(16)),
    ("paramiko", 'ssh.connect("10.0.0.4", username="ops", password="{}")', WORD),
    ("kotlin", 'val signingKey = "{}"', bare(44)),
    ("escaped json", '{"body": "{\\"client_secret\\":\\"{}\\"}"}', bare(40)),
    ("bracketed", "settings['SECRET_KEY'] = '{}'", bare(50, ALNUM + "!@#^&*-_=+")),
    ("jwk", '{"kty":"EC","crv":"P-256","x":"f83OJ3D2","d":"{}"}', bare(43, URLSAFE)),
    # Headers, cookies, addresses
    ("okta", "Authorization: SSWS {}", after("00", 40, URLSAFE)),
    ("api key header", "Authorization: ApiKey {}", bare(44)),
    ("auth token header", "X-Auth-Token: {}", bare(36)),
    ("consul", "X-Consul-Token: {}", UUID),
    ("vault header", "X-Vault-Token: {}", after("s~.", 24)),
    ("proxy", "Proxy-Authorization: Basic {}", PAIR),
    ("set-cookie", "Set-Cookie: sid={}; Path=/; HttpOnly; Secure", bare(32)),
    ("express", "Cookie: connect.sid=s%3A{}", lambda mint: f"{mint.of(32, URLSAFE)}.{mint.of(43)}"),
    ("php session", "Cookie: PHPSESSID={}", bare(26, string.ascii_lowercase + string.digits)),
    (
        "cookie jar",
        ".example.test\tTRUE\t/\tTRUE\t1795165200\tsession_token\t{}",
        bare(64),
    ),
    ("presigned", "https://s3.example.test/a?X-Amz-Date=20261130T000000Z&X-Amz-Signature={}", bare(64, HEX)),
    (
        "sas",
        "https://a.example.test/c?sv=2024-11-04&se=2027-01-01&sr=c&sp=rl&sig={}",
        lambda mint: mint.b64(32).replace("=", "%3D"),
    ),
    ("feishu", "https://open.feishu.cn/open-apis/bot/v2/hook/{}", UUID),
    ("dingtalk", "https://oapi.dingtalk.com/robot/send?access_token={}", bare(64, HEX)),
    ("wecom", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}", UUID),
    ("discord hook", "https://discord.com/api/webhooks/112233445566778899/{}", bare(68, URLSAFE)),
    ("chat hook", "https://chat.googleapis.com/v1/spaces/AAA/messages?threadKey=t&token={}", bare(43, URLSAFE)),
    ("ifttt", "https://maker.ifttt.com/trigger/done/with/key/{}", bare(22, URLSAFE)),
    ("calendar", "https://calendar.google.com/calendar/ical/a%40example.test/private-{}/basic.ics", bare(32, HEX)),
    ("reset link", "https://app.example.test/reset?token={}", bare(40)),
    ("oauth callback", "http://localhost:8080/cb?code={}&state=xyz", after("4/0A", 60, URLSAFE)),
    (
        "telegram url",
        "https://api.telegram.org/bot{}/getMe",
        lambda mint: f"{mint.of(10, string.digits)}:AA{mint.of(33, URLSAFE)}",
    ),
    # Second factors and keys
    ("totp", "otpauth://totp/Shop:marta?secret={}&issuer=Shop", bare(32, BASE32)),
    ("totp said", "2FA secret: {}", lambda mint: " ".join(mint.of(4, BASE32) for _ in range(8))),
    ("totp setup", "Or enter this setup key by hand: {}", bare(32, BASE32)),
    (
        "recovery",
        "Your recovery codes:\n{}\nKeep them safe.",
        lambda mint: "\n".join(f"{mint.of(5, HEX)}-{mint.of(5, HEX)}" for _ in range(8)),
    ),
    (
        "backup codes",
        "Backup codes: {}",
        lambda mint: ", ".join(mint.of(8, string.digits) for _ in range(6)),
    ),
    (
        "mnemonic",
        "seed phrase: {}",
        lambda _: "gravity orbit lantern velvet picnic mosaic harvest tunnel ginger copper raven summit",
    ),
    ("ethereum", "PRIVATE_KEY=0x{}", bare(64, HEX)),
    ("ethereum said", "deployer private key 0x{}", bare(64, HEX)),
    ("wif", "import this wallet: {}", after("5~K", 49, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")),
    (
        "openvpn",
        "-----BEGIN OpenVPN Static key V1-----\n{}\n-----END OpenVPN Static key V1-----",
        lambda mint: "\n".join(mint.of(32, HEX) for _ in range(16)),
    ),
    ("pem escaped", '{"deploy_key": "{}"}', lambda mint: mint.key("OPENSSH ", "\\n")),
    ("pem twice escaped", '{"body": "{\\"key\\": \\"{}\\"}"}', lambda mint: mint.key("", "\\\\n")),
    ("pem crlf", "type a.pem\n{}\n", lambda mint: mint.key("EC ", "\r\n", 3)),
    ("pem yaml", "  tls.key: |\n    {}\n", lambda mint: mint.key("", "\n    ")),
    ("pem code", "key = (\n    '{}\\n'\n)", lambda mint: mint.key("RSA ", "\\n'\n    '")),
    ("pem spaces", 'DEPLOY_KEY="{}"', lambda mint: mint.key("RSA ", " ")),
    ("pem encrypted", "{}", lambda mint: mint.key("ENCRYPTED ")),
    ("pgp", "gpg --export-secret-keys | cat\n{}", lambda mint: mint.key("PGP ").replace("KEY-", "KEY BLOCK-")),
    ("age", "# public key: age1xyz\n{}", after("AGE-SECRET-~KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    # Vendors
    ("bitbucket", "I made the app password {} for it", after("AT~BB", 32)),
    ("fcm", "FCM server key {}", lambda mint: f"AAAA{mint.of(7, URLSAFE)}:APA91b{mint.of(134, URLSAFE)}"),
    ("heroku key", "HEROKU_API_KEY={}", UUID),
    ("azure devops", "AZURE_DEVOPS_PAT={}", bare(52, string.ascii_lowercase + "234567")),
    ("twitch", "oauth token: oauth:{}", bare(30, string.ascii_lowercase + string.digits)),
    ("twilio auth", "TWILIO_AUTH_TOKEN={}", bare(32, HEX)),
    ("datadog app", "DD_APP_KEY={}", bare(40, HEX)),
    ("algolia", "ALGOLIA_ADMIN_KEY: {}", bare(32, HEX)),
    ("cloudflare", "CF_API_TOKEN={}", bare(40, URLSAFE)),
    ("pagerduty", "pagerduty api token is {}", after("u+", 18, URLSAFE)),
    ("deepseek", "here you go: {}", after("s~k-", 32, HEX)),
    ("stripe hook", "stripe listen printed {}", after("whsec~_", 32)),
    (
        "slack app",
        "socket mode needs {}",
        lambda mint: f"xapp-1-A{mint.of(10, BASE32)}-{mint.of(13, string.digits)}-{mint.of(64, HEX)}",
    ),
    ("mailgun", "mailgun answers to key-{} only", bare(32, HEX)),
    ("google secret", "the OAuth client secret {}", after("GOC~SPX-", 28, URLSAFE)),
    ("google refresh", "refresh token 1//0{}", bare(60, URLSAFE)),
    ("azure client", "app registration secret {}", lambda mint: f"{mint.of(3)}8Q~{mint.of(34, ALNUM + '~._-')}"),
    ("asana", "asana pat is 1/1200000000000001:{}", bare(32, HEX)),
    ("airtable", "airtable wants {}", lambda mint: f"pat{mint.of(14)}.{mint.of(64, HEX)}"),
    ("tencent", "secretId {} is live", after("AK~ID", 32)),
    ("tencent key", "SecretKey: {}", bare(32)),
    ("vk", "vk says vk1.a.{}", bare(80, URLSAFE)),
    ("github in text", "令牌是{}，别外传", after("gh~p_", 36)),
    ("aws invisible", "the key is {} now", hidden("AK" + "IA", 16, BASE32, "\u200b")),
    ("github soft", "the token is {} now", hidden("gh" + "p_", 36, ALNUM, "\u00ad")),
    ("gitlab joined", "the token is {} now", hidden("glp" + "at-", 20, ALNUM, "\u2060")),
    ("password hidden", "DB_PASSWORD={}", hidden("", 16, ALNUM, "\u200b")),
    ("jwt", "curl sent {}", WEB),
    ("supabase", "SUPABASE_SERVICE_ROLE_KEY={}", WEB),
    # What people say
    ("password is", "The password for the admin panel is {}, please rotate it.", WORD),
    ("as the password", "use {} as the password for now", WORD),
    ("log in", "Log in with marta / {} on staging.", WORD),
    ("credentials", "Credentials: marta@example.test / {}", WORD),
    ("pw", "pw: {}", WORD),
    ("password to", "I changed the root password to {} yesterday", WORD),
    ("set password", "set the DB password to '{}' and retry", bare(12)),
    ("german", "Das Passwort lautet {}", WORD),
    ("french", "le mot de passe est {}", WORD),
    ("spanish", "La contraseña es {}", WORD),
    ("portuguese", "a senha é {}", WORD),
    ("japanese", "パスワードは {} です", WORD),
    ("chinese", "密码是 {} 请保密", WORD),
    ("api key said", "my API key ({}) stopped working", bare(32)),
    ("token said", "here's the access token: {}", bare(40)),
    ("bearer said", "send it with Bearer {}", bare(36)),
    ("passphrase", "the vault passphrase is '{}'", lambda _: "walnut harbor velvet compass lantern"),
    ("wifi said", "wifi password: {}", WORD),
    ("key backtick", "The API key is `{}`.", bare(32)),
    ("key colon newline", "Here is the secret key:\n\n    {}\n", bare(40)),
)

# Written before any rule was: what the rules are worth on kinds that nobody had in mind.
HELD_OUT: tuple[tuple[str, str, Callable[[Mint], str]], ...] = (
    ("nats", "nats://robot:{}@nats.example.test:4222", bare(16)),
    ("influx dsn", "influx -host db -username admin -password {}", bare(14)),
    ("oracle jdbc", "jdbc:oracle:thin:scott/{}@db.example.test:1521:ORCL", bare(12)),
    ("impdp", "impdp system/{} directory=dumps dumpfile=a.dmp", bare(12)),
    ("sqlcmd", "sqlcmd -S db.example.test -U sa -P {} -Q 'select 1'", WORD),
    ("bcp", "bcp shop.dbo.t out t.dat -S db -U sa -P '{}'", WORD),
    ("mongosh", 'mongosh "mongodb://db.example.test" --username root --password {}', bare(16)),
    ("cqlsh", "cqlsh db.example.test -u cassandra -p {}", bare(14)),
    ("elastic", "curl -u elastic:{} https://es.example.test:9200/_cat/indices", bare(20)),
    ("rabbitmqctl", "rabbitmqctl add_user worker {}", bare(14)),
    ("etcd", "etcdctl --user root:{} get foo", bare(13)),
    ("svn", "svn co --username marta --password {} https://svn.example.test/a", WORD),
    ("lftp", "lftp -u site,{} files.example.test", bare(11)),
    ("rar", "unrar x -p{} backup.rar", bare(12)),
    ("qpdf", "qpdf --password={} --decrypt in.pdf out.pdf", bare(10)),
    ("cryptsetup", "echo -n '{}' | cryptsetup luksOpen /dev/sdb1 data -", WORD),
    ("wpa_passphrase", "wpa_passphrase office '{}'", WORD),
    ("nmcli", "nmcli dev wifi connect office password '{}'", WORD),
    ("secretsmanager", "aws secretsmanager create-secret --name db --secret-string '{}'", bare(24)),
    ("ssm", "aws ssm put-parameter --name /db/pw --type SecureString --value '{}'", bare(20)),
    ("keyvault", "az keyvault secret set --vault-name v --name db --value '{}'", bare(20)),
    ("fly secrets", "fly secrets set DATABASE_PASSWORD={}", bare(20)),
    ("wrangler", "echo {} | wrangler secret put API_TOKEN", bare(40)),
    ("composer", "composer config http-basic.repo.example.test robot {}", bare(32)),
    ("poetry", "poetry config http-basic.internal robot {}", bare(20)),
    ("poetry token", "poetry config pypi-token.internal {}", bare(40)),
    ("gcloud sql", "gcloud sql users set-password root --instance=i --password={}", bare(16)),
    ("net user", "net user marta {} /add", WORD),
    ("psexec", "psexec \\\\10.0.0.4 -u ops -p {} cmd", WORD),
    ("hadoop", "<property><name>fs.s3a.secret.key</name><value>{}</value></property>", bare(40)),
    ("yaml pair", "- name: ADMIN_PASSWORD\n  value: {}", bare(14)),
    ("json pair", '{"name": "DB_PASSWORD", "value": "{}"}', bare(14)),
    ("tsv", "user\tpassword\thost\nmarta\t{}\tweb1", WORD),
    ("semicolon csv", "name;api_key\nmarta;{}", bare(32)),
    ("two column", "| setting | value |\n| --- | --- |\n| DB password | {} |", WORD),
    ("bcrypt", "INSERT INTO users VALUES ('marta', '{}');", lambda mint: f"$2b$12${mint.of(53, ALNUM + './')}"),
    ("argon", "hash = '{}'", lambda mint: f"$argon2id$v=19$m=65536,t=3,p=4${mint.of(22)}${mint.of(43)}"),
    ("mattermost", "https://chat.example.test/hooks/{}", bare(26, string.ascii_lowercase + string.digits)),
    ("n8n", "https://n8n.example.test/webhook/{}", UUID),
    ("make", "https://hook.eu1.make.com/{}", bare(32, string.ascii_lowercase + string.digits)),
    ("home assistant", "https://home.example.test/api/webhook/{}", bare(64, HEX)),
    ("totp env", "TOTP_SEED={}", bare(32, BASE32)),
    ("authenticator", "Authenticator app key: {}", lambda mint: "-".join(mint.of(4, BASE32) for _ in range(8))),
    ("scratch codes", "emergency scratch codes:\n  {}", lambda mint: "\n  ".join(mint.of(8, string.digits) for _ in range(5))),
    ("smtplib", 'server.login("robot@example.test", "{}")', bare(16)),
    ("go basic", 'req.SetBasicAuth("robot", "{}")', bare(16)),
    ("httpx", 'httpx.BasicAuth("robot", "{}")', bare(16)),
    ("supertest", "request(app).get('/').auth('robot', '{}')", bare(16)),
    ("pymysql", 'pymysql.connect(host="db", user="app", passwd="{}")', bare(12)),
    ("perl", 'DBI->connect("dbi:Pg:dbname=shop", "app", "{}")', bare(14)),
    ("rust", 'const API_TOKEN: &str = "{}";', bare(40)),
    ("swift", 'let apiKey: String = "{}"', bare(40)),
    ("csharp", 'public string ClientSecret { get; set; } = "{}";', bare(40)),
    ("lua", "local api_key = '{}'", bare(32)),
    ("dart", "static const String apiSecret = '{}';", bare(32)),
    ("shell default", 'TOKEN="${DEPLOY_TOKEN:-{}}"', bare(40)),
    ("env dump", 'declare -x SMTP_PASSWORD="{}"', WORD),
    ("hcl", 'variable "db_password" {\n  default = "{}"\n}', bare(16)),
    ("nix", 'services.foo.password = "{}";', WORD),
    ("pgpass", "cat ~/.pgpass\ndb.example.test:5432:shop:app:{}", bare(16)),
    ("mycnf", "[client]\nuser=root\npassword={}", bare(14)),
    ("git url", "fatal: unable to access 'https://oauth2:{}@git.example.test/a.git/'", bare(26)),
    ("percent", "https://robot:%40{}@git.example.test/a", bare(16)),
    ("fragment", "https://app.example.test/#access_token={}&token_type=Bearer", bare(60)),
    ("magic link", "https://app.example.test/magic?sig={}", bare(43, URLSAFE)),
    ("x-csrf", "X-CSRF-Token: {}", bare(43, URLSAFE)),
    ("digest", 'Authorization: Token token="{}"', bare(32)),
    ("jwt cookie", "Cookie: theme=dark; access={}", WEB),
    ("italian", "la password è {}", WORD),
    ("dutch", "het wachtwoord is {}", WORD),
    ("polish", "hasło to {}", WORD),
    ("russian", "пароль от админки: {}", WORD),
    ("korean", "비밀번호는 {} 입니다", WORD),
    ("use token", "please use {} as your API token", bare(40)),
    ("try", "try marta with password {}", WORD),
    ("was", "the old one was {}, the new password is different", WORD),
    ("logging in as", "logging in as admin with {}", WORD),
    ("parenthesis", "the admin password ({}) is on the wiki", WORD),
    ("quoted said", 'he said the root password was "{}"', WORD),
    ("dash said", "root password - {}", WORD),
    ("arrow said", "db password => {}", WORD),
    ("bold said", "**Password:** `{}`", WORD),
    ("user pass lines", "user: marta\npass: {}", WORD),
    ("license", "LICENSE_KEY={}", lambda mint: "-".join(mint.of(5, BASE32) for _ in range(5))),
    ("sendgrid split", "SENDGRID=SG.{}", lambda mint: f"{mint.of(22, URLSAFE)}.{mint.of(43, URLSAFE)}"),
    ("linear", "linear: {}", after("lin~_api_", 40)),
    ("figma", "figma: {}", after("fig~d_", 40, URLSAFE)),
    ("databricks", "databricks uses {}", after("dap~i", 32, HEX)),
    ("shopify", "shop token {}", after("shp~at_", 32, HEX)),
    ("mapbox", "mapbox sk.eyJ{}", lambda mint: f"{mint.of(70, URLSAFE)}.{mint.of(22, URLSAFE)}"),
    ("hidden jwt", "it sent {} there", lambda mint: (token := mint.web_token())[:30] + "\u200d" + token[30:]),
    ("hidden word", "the password is {}", lambda mint: (word := mint.word())[:5] + "\u2063" + word[5:]),
    ("fullwidth", "密码：{}", WORD),
    ("pem one line", "key: {}", lambda mint: mint.key("", "")),
    ("dsa", "{}", lambda mint: mint.key("DSA ", "\n", 5)),
    (
        "ssh2",
        "{}",
        lambda mint: mint.key("", "\n", 4).replace("-----BEGIN ", "---- BEGIN SSH2 ENCRYPTED ").replace("KEY-----", "KEY ----"),
    ),
)


# Tokens that their own shape tells, in a sentence that does not.
SERVICES: tuple[tuple[str, str, Callable[[Mint], str]], ...] = (
    *(
        (prefix.replace("~", ""), "the dashboard showed {} and then nothing", after(prefix, length, alphabet))
        for prefix, length, alphabet in (
            ("AV~NS_", 19, URLSAFE),
            ("xa~at-", 36, HEX + "-"),
            ("cs~k-", 48, ALNUM),
            ("cr~sr_", 64, HEX),
            ("db~tc_", 44, ALNUM),
            ("dd~p_", 36, ALNUM),
            ("e2~b_", 40, HEX),
            ("f~c-", 32, HEX),
            ("f~w_", 24, ALNUM),
            ("hc~aik_", 58, ALNUM),
            ("ic~o-", 32, ALNUM),
            ("ji~na_", 60, ALNUM),
            ("na~pi_", 64, ALNUM),
            ("ml~sn.", 64, HEX),
            ("or~y_st_", 32, ALNUM),
            ("pd~l_live_apikey_", 53, ALNUM),
            ("pol~ar_oat_", 43, ALNUM),
            ("rn~d_", 28, ALNUM),
            ("rp~a_", 40, ALNUM),
            ("sg~p_", 57, HEX),
            ("tg~p_v1_", 43, URLSAFE),
            ("AT~TA", 72, HEX),
            ("tr~_prod_", 20, ALNUM),
            ("xa~u_", 40, ALNUM),
            ("signkey-pr~od-", 64, HEX),
            ("p~k_4711023_", 32, BASE32),
        )
    ),
    *(
        (name, f"it answered {{}} to {name}", lambda mint, prefix=prefix: prefix.replace("~", "") + mint.uuid())
        for name, prefix in (("hubspot", "pat-n~a1-"), ("langfuse", "sk-l~f-"), ("stytch", "secret-li~ve-"))
    ),
    ("alchemy", "https://eth-mainnet.g.alchemy.com/v2/{}", bare(32, URLSAFE)),
    ("infura", "wss://mainnet.infura.io/v3/{}", bare(32, HEX)),
    ("quicknode", "https://cold-river.quiknode.pro/{}/", bare(40, HEX)),
    ("zoho", "it gave 10~00.{} once".replace("~", ""), lambda mint: f"{mint.of(32, HEX)}.{mint.of(32, HEX)}"),
    (
        "cloudflared",
        "cloudflared service install {}",
        lambda mint: base64.b64encode(
            json.dumps({"a": mint.of(32, HEX), "t": mint.uuid(), "s": mint.b64(32)}, separators=(",", ":")).encode()
        ).decode(),
    ),
    ("httpie", "http -a deploy:{} https://api.example.test/v1/jobs", WORD),
    ("cli login", "flyctl auth token {}", bare(44)),
    ("pgpass line", "db.example.test:5432:shop:app:{}", bare(16)),
    ("kaggle", '{"username":"robot","key":"{}"}', bare(32, HEX)),
    ("app password", "the app password is {}", lambda mint: " ".join(mint.of(4, string.ascii_lowercase) for _ in range(4))),
    ("bearer uuid", "curl -H 'Authorization: Bearer {}' https://api.example.test", UUID),
    ("upper uuid", "SERVICE_TOKEN={}", UUID),
    ("login is", "the login is marta / {}", WORD),
)


def fakes(seed: int = SEED, kinds: tuple[tuple[str, str, Callable[[Mint], str]], ...] = KINDS) -> list[Fake]:
    """One fake of every one of *kinds*."""
    mint = Mint(seed)
    drawn = ((kind, text, draw(mint)) for kind, text, draw in kinds)
    return [Fake(kind, secret, text.replace("{}", secret)) for kind, text, secret in drawn]
